import { constants, rmSync, statSync } from 'node:fs'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'

import type { Config } from 'dragoman/config'
import { appliedMigrations, findMissingWal, findWalDamage } from 'dragoman/database'
import { findDamagedRuns } from 'dragoman/stores/sqlite'
import { checkMigrations } from './check-migrations.ts'
import { note, ok, problem, reasonOf, type Finding } from './finding.ts'

const BUSY_TIMEOUT_MS = 2000
/** A check reads the whole file. For a larger file that takes minutes. */
const MAX_CHECK_BYTES = 2 * 1024 ** 3
/** A server that runs may change the files while they are copied. */
const MAX_TRIES = 5

/** Whether the file is intact, and whether this version can use its tables. Changes nothing. */
export async function checkDatabase({ home }: Config): Promise<Finding[]> {
  const file = join(home, 'dragoman.db')
  try {
    const missing = await findMissingWal(file)
    const damage = await findWalDamage(file)
    if (damage) return [problem(`Database: ${damage.sentence} Restore a backup.`)]
    const size = sizeOf(file) + sizeOf(`${file}-wal`)
    if (size === 0) return [note('Database: none yet. The first start creates it.')]
    using copy = await copyFiles(file, size)
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

type Copy = Disposable & { readonly file: string | URL }

/**
 * A copy of a database. SQLite makes, changes and deletes files next to one that it opens, and a check must change
 * nothing. What is too large to be copied is read without its write-ahead log.
 */
async function copyFiles(file: string, size: number): Promise<Copy> {
  if (size > MAX_CHECK_BYTES) {
    const url = pathToFileURL(file)
    url.search = '?immutable=1'
    return { file: url, [Symbol.dispose]: () => undefined }
  }
  const folder = await mkdtemp(join(tmpdir(), 'dragoman-doctor-'))
  const dispose = (): void => rmSync(folder, { recursive: true, force: true })
  try {
    const copy = join(folder, 'dragoman.db')
    for (let tries = 1; ; tries += 1) {
      const before = stateOf(file)
      for (const end of ['', '-wal']) await copyIfFull(`${file}${end}`, `${copy}${end}`)
      if (stateOf(file) === before) return { file: copy, [Symbol.dispose]: dispose }
      // Who writes all the time has the files open: SQLite changes nothing then that it does not change anyway.
      if (tries === MAX_TRIES) return { file, [Symbol.dispose]: dispose }
    }
  } catch (error) {
    dispose()
    throw error
  }
}

async function copyIfFull(from: string, to: string): Promise<void> {
  await rm(to, { force: true })
  if (sizeOf(from) > 0) await copyFile(from, to, constants.COPYFILE_FICLONE)
}

/** What differs after any write to a database or its write-ahead log. */
function stateOf(file: string): string {
  const stats = ['', '-wal'].map((end) => statSync(`${file}${end}`, { bigint: true, throwIfNoEntry: false }))
  return stats.map((each) => `${each?.ino} ${each?.size} ${each?.mtimeNs}`).join()
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

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
