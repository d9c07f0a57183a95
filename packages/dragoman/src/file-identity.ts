import { closeSync, openSync, readSync, statSync } from 'node:fs'

import { ServiceError } from './errors.ts'

/** The code of the cause of the error. */
export const FILES_CHANGED = 'FILES_CHANGED'
/** How long a check holds, in ms: the next commits of one moment need none. */
const HOLD_MS = 10
/** A look that others keep disturbing is left to the next. */
const MAX_TRIES = 10

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

/**
 * A checkpoint cuts the log too, so SQLite is asked. Other threads write and make checkpoints meanwhile: what was seen
 * of the file counts only if the log stayed the same. A cut is remembered: what is written later makes a hole.
 */
function createCutFinder(path: string, ask: AskPragma): () => string | undefined {
  let bytes = 0
  let change: string | undefined
  return () => {
    const log = readStart(path)
    // An empty log may have been cut after what was written since the last look.
    const isGrown = log.hasHeader && log.size >= bytes
    const look = isGrown ? { ...log, frameBytes: 0 } : lookInPeace(path, ask)
    // Where there was none, the next look compares with the same size.
    bytes = look?.size ?? bytes
    // A write after a cut makes the log as long as before, and leaves a hole where it began.
    if (look && look.frameBytes > 0 && (look.frameBytes > look.size || !look.hasHeader))
      change = `${path} was cut`
    return change
  }
}

type LogStart = { readonly size: number; readonly hasHeader: boolean }

/** What the file is, and what it has to hold: undefined while others change the log, or inside a transaction. */
function lookInPeace(path: string, ask: AskPragma): (LogStart & { frameBytes: number }) | undefined {
  try {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const version = readVersion(ask)
      const frameBytes = bytesOfLog(ask)
      const log = readStart(path)
      if (version === undefined || frameBytes === undefined) return undefined
      if (readVersion(ask) === version) return { ...log, frameBytes }
    }
  } catch {
    // A database that cannot answer now says nothing of its log: what is asked of it next fails with the reason.
  }
  return undefined
}

/** It changes with each commit of another connection, and when one has started the log again. */
function readVersion(ask: AskPragma): unknown {
  return ask('PRAGMA data_version')?.['data_version']
}

/** Whether the write-ahead log begins as each does. https://www.sqlite.org/fileformat2.html#the_write_ahead_log */
function readStart(path: string): LogStart {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size === 0) return { size, hasHeader: false }
  const file = openSync(path, 'r')
  try {
    const bytes = new Uint8Array(2)
    readSync(file, bytes, 0, bytes.length, 0)
    return { size, hasHeader: bytes[0] === 0x37 && bytes[1] === 0x7f }
  } finally {
    closeSync(file)
  }
}

/** Versions before 3.51 do not know NOOP, and make a passive checkpoint. https://www.sqlite.org/pragma.html#pragma_wal_checkpoint */
function bytesOfLog(ask: AskPragma): number | undefined {
  const frames = Number(ask('PRAGMA wal_checkpoint(NOOP)')?.['log'] ?? -1)
  const pageBytes = Number(ask('PRAGMA page_size')?.['page_size'] ?? -1)
  if (frames < 0 || pageBytes < 0) return undefined
  return frames > 0 ? 32 + frames * (24 + pageBytes) : 0
}

/** Names a file whatever its path; undefined if there is none. */
export function identityOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found && `${found.dev}:${found.ino}`
}
