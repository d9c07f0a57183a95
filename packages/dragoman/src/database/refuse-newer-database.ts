import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'

import type { Migration } from './migrate.ts'

/** How long another process may hold the file. */
const BUSY_TIMEOUT_MS = 5000

/** How the names of the server's own migrations begin. Names of an agent's migrations begin with its id. */
const CORE_PREFIXES = ['users', 'threads', 'usage', 'erasing', 'expiry', 'clock', 'core']

/**
 * Refuses a database that a newer version has changed. Tables of agents that this server does not have are
 * ignored. It only reads: neither the file nor the files next to it change.
 * @throws Error that says what to do, and SQLite's message for a file that it cannot read
 */
export function refuseNewerDatabase(
  file: string,
  migrations: readonly Migration[],
  agents: readonly { readonly id: string }[],
): void {
  const newer = newerMigrations(migrations, agents, appliedMigrations(file))
  if (newer.length === 0) return
  throw new Error(
    `a newer version of dragoman has changed its tables (${newer.join(', ')}), so use that version ` +
      'or restore an earlier backup',
  )
}

/** The applied migrations, of the server and of these agents, that are not among the known ones. */
export function newerMigrations(
  migrations: readonly Migration[],
  agents: readonly { readonly id: string }[],
  applied: readonly string[],
): string[] {
  const names = new Set(migrations.map(({ name }) => name))
  const owners = [...CORE_PREFIXES, ...agents.map(({ id }) => id)]
  return applied.filter((name) => !names.has(name) && owners.some((owner) => name.startsWith(`${owner}-`)))
}

/** The migrations that have been applied to a database. None for a file that is empty or not there. */
function appliedMigrations(file: string): string[] {
  if (sizeOf(file) + sizeOf(`${file}-wal`) === 0) return []
  const sqlite = openReadOnly(file)
  try {
    const table = sqlite.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'schema_migrations'").get()
    const rows = table ? sqlite.prepare('SELECT name FROM schema_migrations ORDER BY rowid').all() : []
    return rows.map(({ name }) => String(name))
  } finally {
    sqlite.close()
  }
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
