import { open } from 'node:fs/promises'
import { backup, DatabaseSync } from 'node:sqlite'

import { refuseDamagedWal } from './write-ahead-log.ts'

/** How long another process may hold the file. */
const BUSY_TIMEOUT_MS = 5000
/**
 * All pages are copied in one step. Between two steps, SQLite would start again after each commit of another
 * process.
 */
const ALL_PAGES = 2 ** 31 - 1
const BUSY = 5

/**
 * Copies a database to a new file with owner-only access. Other processes may write the database in the
 * meantime. The copy is a single file and has been checked.
 * @throws Error that names the problem with the database or with the new file
 */
export async function copyDatabase(from: string, to: string): Promise<void> {
  await refuseDamagedWal(from)
  await (await open(to, 'wx', 0o600)).close()
  const source = new DatabaseSync(from, { timeout: BUSY_TIMEOUT_MS })
  try {
    await backup(source, to, { rate: ALL_PAGES })
  } finally {
    source.close()
  }
  const copy = new DatabaseSync(to)
  try {
    copy.exec('PRAGMA journal_mode = DELETE')
    const [row] = copy.prepare('PRAGMA integrity_check(1)').all()
    const result = String(row?.['integrity_check'])
    if (result !== 'ok') throw new Error(`${from} is damaged: ${result}`)
  } finally {
    copy.close()
  }
  await syncFile(to)
}

/** Whether another connection has a database open. A file that cannot be read as a database counts as not open. */
export function isOpenElsewhere(file: string): boolean {
  let sqlite: DatabaseSync | undefined
  try {
    sqlite = new DatabaseSync(file)
    // Every open connection holds a lock that SQLite shares, and refuses to a connection that wants the file for
    // itself.
    sqlite.exec('PRAGMA locking_mode = EXCLUSIVE; SELECT count(*) FROM sqlite_schema')
    return false
  } catch (error) {
    return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === BUSY
  } finally {
    sqlite?.close()
  }
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
