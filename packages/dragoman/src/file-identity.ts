import { closeSync, openSync, readSync, statSync } from 'node:fs'

import { ServiceError } from './errors.ts'

/** The code of the cause of the error. */
export const FILES_CHANGED = 'FILES_CHANGED'
/** How long a check holds, in ms: the next commits of one moment need none. */
const HOLD_MS = 10

/** Answers a pragma; undefined inside a transaction, where SQLite tells nothing of the log. */
type AskPragma = (text: string) => Record<string, unknown> | undefined

/**
 * Notes the files of a database that has just been opened. The function that it returns throws if one of them was
 * removed or replaced, or if the write-ahead log was cut: SQLite would write on into a file that cannot be opened,
 * or behind a hole. Only a connection, which can `ask`, finds out about the latter.
 * @throws ServiceError `unavailable`
 */
export function requireSameFiles(file: string, ask?: AskPragma): (holdMs?: number) => void {
  const paths = [file, `${file}-wal`, `${file}-shm`]
  const originalIds: (string | undefined)[] = []
  const findCut = ask && createCutFinder(`${file}-wal`, ask)
  let checkedAt = -Infinity
  const findChange = (): string | undefined => {
    const changedPath = paths.find((path, index) => {
      const id = identityOf(path)
      // SQLite makes the write-ahead log and its index when it first uses them.
      originalIds[index] ??= id
      return originalIds[index] !== id
    })
    return changedPath === undefined ? findCut?.() : `${changedPath} was removed or replaced`
  }
  findChange()
  return (holdMs = HOLD_MS) => {
    if (performance.now() - checkedAt < holdMs) return
    const change = findChange()
    if (change !== undefined)
      throw new ServiceError(
        'unavailable',
        'The database files were removed or replaced while the server ran. Restart it: nothing can be stored now.',
        { cause: Object.assign(new Error(`${change} while the server ran`), { code: FILES_CHANGED }) },
      )
    checkedAt = performance.now()
  }
}

/** A checkpoint cuts the log too, so SQLite is asked. A cut is remembered: what is written later makes a hole. */
function createCutFinder(path: string, ask: AskPragma): () => string | undefined {
  let bytes = 0
  let change: string | undefined
  return () => {
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
    // An empty log may have been cut after what was written since the last look.
    const needed = size < bytes || size === 0 ? bytesOfLog(ask) : 0
    if (needed === undefined) return change
    // A write after a cut makes the log as long as before, and leaves a hole where it began.
    if (needed > size || (size > 0 && !hasHeader(path))) change = `${path} was cut`
    bytes = size
    return change
  }
}

/** True if the write-ahead log begins as each does. https://www.sqlite.org/fileformat2.html#the_write_ahead_log */
function hasHeader(path: string): boolean {
  const file = openSync(path, 'r')
  try {
    const bytes = new Uint8Array(2)
    readSync(file, bytes, 0, bytes.length, 0)
    return bytes[0] === 0x37 && bytes[1] === 0x7f
  } finally {
    closeSync(file)
  }
}

/** Versions before 3.51 do not know NOOP, and make a passive checkpoint. https://www.sqlite.org/pragma.html#pragma_wal_checkpoint */
function bytesOfLog(ask: AskPragma): number | undefined {
  const frames = ask('PRAGMA wal_checkpoint(NOOP)')?.['log']
  const pageBytes = ask('PRAGMA page_size')?.['page_size']
  if (frames === undefined || pageBytes === undefined) return undefined
  return Number(frames) > 0 ? 32 + Number(frames) * (24 + Number(pageBytes)) : 0
}

/** Names a file whatever its path; undefined if there is none. */
export function identityOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found && `${found.dev}:${found.ino}`
}
