import { copyFile, rename, rm, stat } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'

import { removeLogMark } from '../log-mark.ts'
import { findWalDamage, type WalDamage } from './find-wal-damage.ts'

const REMEDY = 'Restore a backup, or start the server once with --accept-loss. A copy of the log is kept then'

/**
 * Refuses a database whose write-ahead log is damaged, before it is opened: SQLite would drop what it cannot read.
 * @throws Error that says what is lost and what to do
 */
export async function refuseDamagedWal(file: string): Promise<void> {
  const damage = await findWalDamage(file)
  if (damage) throw new Error(`${damage.sentence} ${REMEDY}`)
}

/**
 * Keeps a copy of a damaged log before the server opens its database, and reports what is lost.
 * @throws Error unless the loss is accepted, or only the end is torn
 */
export async function checkWal(
  file: string,
  { acceptLoss, warn }: { readonly acceptLoss: boolean; readonly warn: (problem: string) => void },
): Promise<void> {
  const damage = await findWalDamage(file)
  if (!damage) return
  const copy = damage.id === undefined ? undefined : await copyLog(file, damage.id)
  warn(damage.sentence + (copy === undefined ? '' : ` A copy is kept in ${copy}.`))
  if (!acceptLoss && !damage.isTornEnd) throw new Error(`${damage.sentence} ${REMEDY}`)
  await dropDamage(file, damage)
}

/** Keeps a copy of a log next to it. Returns the path of the copy. */
async function copyLog(file: string, id: string): Promise<string> {
  const copy = `${file}-wal.damaged-${id}`
  await copyFile(`${file}-wal`, `${copy}.part`)
  await rename(`${copy}.part`, copy)
  return copy
}

/** Goes on with what is whole: what is left of the log is folded or removed, so the next start finds no damage. */
async function dropDamage(file: string, { isStale }: WalDamage): Promise<void> {
  removeLogMark(file)
  if (isStale) for (const end of ['-wal', '-shm']) await rm(`${file}${end}`, { force: true })
  const { size } = await stat(file).catch(() => ({ size: 0 }))
  if (size === 0) return
  const sqlite = new DatabaseSync(file)
  try {
    // SQLite reads what is left of the log, and folds it when the file is closed.
    sqlite.prepare('SELECT count(*) FROM sqlite_schema').get()
  } finally {
    sqlite.close()
  }
}
