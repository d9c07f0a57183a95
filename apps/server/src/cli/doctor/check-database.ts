import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import type { Config } from 'dragoman/config'
import { appliedMigrations, findMissingWal, findWalDamage } from 'dragoman/database'
import { findDamagedRuns } from 'dragoman/stores/sqlite'
import { checkMigrations } from './check-migrations.ts'
import { copyDatabaseFiles, MAX_CHECK_BYTES, sizeOf } from './copy-database-files.ts'
import { note, ok, problem, reasonOf, type Finding } from './finding.ts'

const BUSY_TIMEOUT_MS = 2000

/** Whether the file is intact, and whether this version can use its tables. Changes nothing. */
export async function checkDatabase({ home }: Config): Promise<Finding[]> {
  const file = join(home, 'dragoman.db')
  try {
    const missing = await findMissingWal(file)
    const damage = await findWalDamage(file)
    if (damage) return [problem(`Database: ${damage.sentence} Restore a backup.`)]
    const size = sizeOf(file) + sizeOf(`${file}-wal`)
    if (size === 0) return [note('Database: none yet. The first start creates it.')]
    using copy = await copyDatabaseFiles(file, size)
    using sqlite = new DatabaseSync(copy.file, { timeout: BUSY_TIMEOUT_MS, readOnly: true })
    return [
      ...(missing === undefined ? [] : [note(`Database: ${missing}`)]),
      checkFile(sqlite, file, size),
      ...checkLogs(sqlite, size),
      checkMigrations(appliedMigrations(sqlite)),
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

/** Whether the logs of runs are as they were written. A file of an earlier version has no checksums. */
function checkLogs(sqlite: DatabaseSync, size: number): Finding[] {
  const column = sqlite
    .prepare("SELECT 1 FROM pragma_table_info('run_entries') WHERE name = 'checksum'")
    .get()
  if (!column || size > MAX_CHECK_BYTES) return []
  const [first, ...others] = findDamagedRuns(sqlite)
  if (first === undefined) return []
  const more = others.length === 0 ? '' : ` and ${others.length} others`
  return [
    problem(`Database: the log of ${first}${more} is damaged. Restore a backup, or delete its conversation.`),
  ]
}
