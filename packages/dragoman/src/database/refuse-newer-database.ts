import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'

import { describeNewer, type AppliedMigrations, type TableVersion } from './newer-migrations.ts'

/** How long another process may hold the file. */
const BUSY_TIMEOUT_MS = 5000

/**
 * Refuses a database that a newer version has changed. Tables of agents that this server does not have are
 * ignored. It only reads: neither the file nor the files next to it change.
 * @throws Error that says what to do, and SQLite's message for a file that it cannot read
 */
export function refuseNewerDatabase(file: string, version: TableVersion): void {
  // A file that is empty or not there has no tables.
  if (sizeOf(file) + sizeOf(`${file}-wal`) === 0) return
  const sqlite = openReadOnly(file)
  try {
    const problem = describeNewer(version, appliedMigrations(sqlite))
    if (problem !== undefined) throw new Error(problem)
  } finally {
    sqlite.close()
  }
}

/** The migrations that have been applied to a database. */
export function appliedMigrations(sqlite: DatabaseSync): AppliedMigrations {
  const read = (table: string): string[] => {
    const exists = sqlite.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table)
    const rows = exists ? sqlite.prepare(`SELECT name FROM ${table} ORDER BY rowid`).all() : []
    return rows.map(({ name }) => String(name))
  }
  return { names: read('schema_migrations'), compatible: read('compatible_migrations') }
}

/** SQLite makes files next to a database in WAL mode, even to read it, unless the database is opened as immutable. */
function openReadOnly(file: string): DatabaseSync {
  const options = { readOnly: true, timeout: BUSY_TIMEOUT_MS }
  if (sizeOf(`${file}-wal`) > 0) return new DatabaseSync(file, options)
  const url = pathToFileURL(file)
  url.search = '?immutable=1'
  return new DatabaseSync(url, options)
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
