import { open } from 'node:fs/promises'

import { isBefore, isMarked, readLogMark, readNumber, type LogMark } from '../log-mark.ts'
import { readWalIndex, type WalIndex } from './read-wal-index.ts'
import { walkWal, type WalkedLog } from './walk-wal.ts'

/** Damage of a write-ahead log or of its database, that SQLite would pass over in silence. */
export type WalDamage = {
  /** What is damaged, and what is lost. */
  readonly sentence: string
  /** Identifies the log, so that it is copied once; undefined if there is none. */
  readonly id: string | undefined
  /** Whether what is left of the log is older than the database file, so that it would damage the file too. */
  readonly isStale: boolean
  /** Whether only the last transaction is lost, whose last frame is torn, as after a power failure. */
  readonly isTornEnd: boolean
}

const HEADER_BYTES = 100
const MAGIC = 'SQLite format 3\0'
/** Files that another process writes may change while they are read. */
const MAX_TRIES = 5

/**
 * Looks for damage of a write-ahead log. SQLite reads a log up to the first bad frame, and takes what follows for the
 * remains of an earlier log. It takes a log without a database for an old one, and deletes it. What shows damage:
 *
 * - a whole transaction behind a bad frame. A torn end is nothing: what was in it was never promised
 * - the index of the log, if the machine has not been started since: it counts the frames of a process that was killed
 * - what was noted at the last checkpoint (see log-mark.ts)
 *
 * Changes nothing. https://www.sqlite.org/walformat.html
 */
export async function findWalDamage(file: string): Promise<WalDamage | undefined> {
  let last = ''
  for (let tries = 1; ; tries += 1) {
    // The log is read last: a server that runs has written at least what the others say.
    const mark = readLogMark(file)
    const header = await readHeader(file)
    const index = await readWalIndex(file)
    const log = await walkWal(file)
    const files = { mark, header, index, log }
    const damage = judge(file, files)
    const state = JSON.stringify(files)
    if (!damage || state === last || tries === MAX_TRIES) return damage
    last = state
  }
}

type Header = { readonly bytes: number; readonly start: Buffer }

type Files = {
  readonly mark: LogMark | undefined
  readonly header: Header | undefined
  readonly index: WalIndex | undefined
  readonly log: WalkedLog | undefined
}

function judge(file: string, { mark, header, index, log }: Files): WalDamage | undefined {
  const id = log && log.bytes > 0 ? log.salts.toString('hex') : undefined
  const damage = (sentence: string, isStale = false, isTornEnd = false): WalDamage => ({
    sentence,
    id,
    isStale,
    isTornEnd,
  })
  const name = `${file}-wal, the write-ahead log of the database,`
  if (!header || header.bytes === 0) {
    if (!header && id === undefined && !index?.frames) return undefined
    return damage(`${file}, the database, is ${header ? 'empty' : 'missing'}. What it held is lost.`, true)
  }
  // SQLite refuses what is no database.
  if (header.start.toString('latin1', 0, MAGIC.length) !== MAGIC) return undefined
  const own = readNumber(header.start)
  const isStale = log?.frames === 0 || isBefore(log?.firstPage ? readNumber(log.firstPage) : own, own)
  if (log && log.lostTransactions > 0) {
    const place = log.bad === 0 ? 'in its header' : `in frame ${log.bad}`
    const lost = `${log.lostFrames} frames of ${log.lostTransactions} transactions`
    return damage(
      `${name} is damaged ${place}. What was committed after that place is lost: ${lost}.`,
      isStale,
    )
  }
  const loss = mark && findLoss(log, index)
  if (loss !== undefined) {
    const isOlder = isStale || isShort(log, index)
    const isTornEnd = !isOlder && log?.bad === index?.frames
    return damage(`${name} ${loss}. What was committed last is lost.`, isOlder, isTornEnd)
  }
  if (mark && isMarked(own, mark) && !log?.frames)
    return damage(`${name} is ${describeAbsence(log)}. What was committed last is lost.`, true)
  if (isStale && log?.frames) return damage(`${name} is older than the database.`, true)
  const bytes = bytesOf(header.start)
  if (!log?.frames && bytes > header.bytes)
    return damage(`${file}, the database, has ${header.bytes} of its ${bytes} bytes. The others are lost.`)
  return undefined
}

/** What the log lacks of what its index counts. */
function findLoss(log: WalkedLog | undefined, index: WalIndex | undefined): string | undefined {
  if (!index?.frames) return undefined
  if (!log?.frames) return `is ${describeAbsence(log)}`
  if (!log.salts.equals(index.salts)) return 'is not the one that was written last'
  return log.frames < index.frames ? `ends after frame ${log.frames} of ${index.frames}` : undefined
}

/** Whether the log lacks frames that have been copied into the database file. */
function isShort(log: WalkedLog | undefined, index: WalIndex | undefined): boolean {
  return !log || !index || !log.salts.equals(index.salts) || log.frames < index.foldedFrames
}

function describeAbsence(log: WalkedLog | undefined): string {
  if (!log) return 'missing'
  return log.bytes === 0 ? 'empty' : 'not readable from its start'
}

/** The size of a file that has all its pages; 0 for a file without a write-ahead log, which may have a journal. */
function bytesOf(start: Buffer): number {
  const pageBytes = start.readUInt16BE(16) === 1 ? 65_536 : start.readUInt16BE(16)
  return start[18] === 2 ? start.readUInt32BE(28) * pageBytes : 0
}

async function readHeader(file: string): Promise<Header | undefined> {
  const handle = await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (!handle) return undefined
  try {
    const start = Buffer.alloc(HEADER_BYTES)
    await handle.read(start, 0, HEADER_BYTES, 0)
    return { bytes: (await handle.stat()).size, start }
  } finally {
    await handle.close()
  }
}
