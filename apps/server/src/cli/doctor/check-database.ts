import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import type { Config } from 'dragoman/config'
import { findMissingWal, newerMigrations } from 'dragoman/database'
import { collectMigrations } from 'dragoman/server'
import { bundledAgents } from '../../main.ts'
import { note, ok, problem, reasonOf, type Finding } from './finding.ts'

const BUSY_TIMEOUT_MS = 2000
/** A check reads the whole file. For a larger file that takes minutes. */
const MAX_CHECK_BYTES = 2 * 1024 ** 3

/** Whether the file is intact, and whether this version can use its tables. Changes nothing. */
export async function checkDatabase({ home }: Config): Promise<Finding[]> {
  const file = join(home, 'dragoman.db')
  const size = sizeOf(file) + sizeOf(`${file}-wal`)
  if (size === 0) return [note('Database: none yet. The first start creates it.')]
  try {
    const missing = await findMissingWal(file)
    using sqlite = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
    return [
      ...(missing === undefined ? [] : [note(`Database: ${missing}`)]),
      checkFile(sqlite, file, size),
      checkTables(sqlite),
    ]
  } catch (error) {
    return [problem(`Database: ${file} cannot be used: ${reasonOf(error)}.`)]
  }
}

function checkFile(sqlite: DatabaseSync, file: string, size: number): Finding {
  const name = `Database: ${file} (${(size / 1024 ** 2).toFixed(1)} MB)`
  if (size > MAX_CHECK_BYTES) {
    sqlite.prepare('SELECT count(*) FROM sqlite_schema').get()
    return note(`${name} opens, and is too large to check here. Run sqlite3 FILE 'PRAGMA quick_check'.`)
  }
  const [row] = sqlite.prepare('PRAGMA quick_check(1)').all()
  const result = String(row?.['quick_check'])
  return result === 'ok'
    ? ok(`${name} is intact.`)
    : problem(`${name} is damaged: ${result}. Restore a backup.`)
}

function checkTables(sqlite: DatabaseSync): Finding {
  const migrations = collectMigrations(bundledAgents)
  const table = sqlite.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'schema_migrations'").get()
  const rows = table ? sqlite.prepare('SELECT name FROM schema_migrations').all() : []
  const applied = rows.map((row) => String(row['name']))
  const newer = newerMigrations(migrations, bundledAgents, applied)
  if (newer.length > 0) {
    return problem(
      `Database: a newer version of dragoman has changed its tables (${newer.join(', ')}), ` +
        'so use that version or restore an earlier backup.',
    )
  }
  const missing = migrations.map(({ name }) => name).filter((name) => !applied.includes(name))
  if (missing.length === 0) return ok('Database: its tables are of this version.')
  return note(`Database: the next start updates its tables (${missing.join(', ')}).`)
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
