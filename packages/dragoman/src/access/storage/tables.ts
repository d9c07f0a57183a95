import type { Database, Migration } from '../../database/index.ts'

type StorageTables = {
  /** What each user stores, by part: `conversations`, or the id of an agent. */
  stored_bytes: { user_id: string; part: string; bytes: number }
  /** When the counts of all users were last corrected, in ms since 1970. */
  storage_corrections: { id: number; at: number | string }
}

export const storageMigrations: readonly Migration[] = [
  {
    name: 'storage-1',
    statements: [
      `CREATE TABLE stored_bytes (
        user_id TEXT NOT NULL, part TEXT NOT NULL, bytes INTEGER NOT NULL, PRIMARY KEY (user_id, part)
      ) WITHOUT ROWID`,
      'CREATE TABLE storage_corrections (id INTEGER PRIMARY KEY, at INTEGER NOT NULL)',
    ],
  },
]

export function storageTables(db: Database) {
  return db.withTables<StorageTables>()
}
