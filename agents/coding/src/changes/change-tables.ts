import type { Database, Migration } from 'dragoman/database'

/** A file that the tools of a thread have changed. Hashes are SHA-256, or `none` for no file. */
export type ChangeRow = {
  readonly thread_id: string
  /** Its real path. */
  readonly path: string
  /** The folder of the workspace in which it lies: a real path. */
  readonly folder: string
  /** The file before the thread's first change, by gzip. Null if there was none. */
  readonly original: Uint8Array | null
  /** Its permissions then. Null if there was none. */
  readonly mode: number | null
  readonly original_hash: string
  /** What the last write has put there, or was about to. */
  readonly written_hash: string
  /** What the thread's write before that has put there: it stands if the last write failed. */
  readonly earlier_hash: string | null
  /** 1 if something else changed the file between two writes of the thread. */
  readonly is_mixed: number
  readonly changed_at: string
}

export const codingMigrations: readonly Migration[] = [
  {
    name: 'coding-1-changes',
    statements: [
      `CREATE TABLE coding_changes (
        thread_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
        path TEXT NOT NULL,
        folder TEXT NOT NULL,
        original BLOB,
        mode INTEGER,
        original_hash TEXT NOT NULL,
        written_hash TEXT NOT NULL,
        earlier_hash TEXT,
        is_mixed INTEGER NOT NULL DEFAULT 0,
        changed_at TEXT NOT NULL,
        PRIMARY KEY (thread_id, path)
      ) STRICT`,
      'CREATE INDEX coding_changes_by_time ON coding_changes (changed_at)',
    ],
  },
]

export function changeTables(db: Database) {
  return db.withTables<{
    coding_changes: ChangeRow
    conversations: { readonly id: string; readonly user_id: string }
  }>()
}
