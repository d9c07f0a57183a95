import type { Database, Migration } from '../database/index.ts'

type Tables = {
  files: {
    id: string
    /** Of its first user, its type and its content. Null until the file is complete. */
    hash: string | null
    user_id: string
    media_type: string
    filename: string | null
    bytes: number
    created_at: number | string
  }
  /** The content, in pieces. */
  file_chunks: { file_id: string; n: number; content: Uint8Array }
  /** The conversations that show a file. */
  file_uses: { file_id: string; conversation_id: string }
}

export const fileMigrations: readonly Migration[] = [
  {
    name: 'files-1',
    statements: [
      `CREATE TABLE files (
        id TEXT PRIMARY KEY, user_id TEXT NOT NULL, media_type TEXT NOT NULL, filename TEXT,
        bytes INTEGER NOT NULL, created_at INTEGER NOT NULL
      ) STRICT`,
      'CREATE INDEX files_by_user ON files (user_id)',
      `CREATE TABLE file_chunks (
        file_id TEXT NOT NULL REFERENCES files (id) ON DELETE CASCADE, n INTEGER NOT NULL, content BLOB NOT NULL,
        PRIMARY KEY (file_id, n)
      ) STRICT`,
      `CREATE TABLE file_uses (
        file_id TEXT NOT NULL REFERENCES files (id) ON DELETE CASCADE, conversation_id TEXT NOT NULL,
        PRIMARY KEY (file_id, conversation_id)
      ) WITHOUT ROWID`,
      'CREATE INDEX file_uses_by_conversation ON file_uses (conversation_id)',
    ],
  },
  {
    name: 'files-2',
    statements: [
      'ALTER TABLE files ADD COLUMN hash TEXT',
      'UPDATE files SET hash = id',
      'CREATE UNIQUE INDEX files_by_hash ON files (hash)',
    ],
  },
]

export type FileTables = ReturnType<typeof fileTables>

export function fileTables(db: Database) {
  return db.withTables<Tables>()
}
