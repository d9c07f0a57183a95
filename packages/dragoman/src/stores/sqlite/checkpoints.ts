import { statSync } from 'node:fs'

import { nextNumber, writeLogMark } from '../../log-mark.ts'
import type { Sql } from './sql-port.ts'

/** The write-ahead log is checkpointed after so many ms without a write, or after so many commits. */
const QUIET_MS = 250
const COMMITS = 2000
/**
 * Other connections write the file too. From this size on, a checkpoint waits for a moment without readers and has the
 * next commit begin at the start of the file, so that the log grows no further.
 */
const MAX_WAL_BYTES = 4 * 1024 * 1024
const SIZE_CHECK_MS = 500

export interface Checkpoints {
  /** Call it after each commit. */
  committed(): void
  close(): void
}

type CheckpointOptions = {
  /** Throws if the files of the database are not those that were opened. */
  readonly requireFiles: () => void
  /** Whether the connection waits for another writer. */
  readonly isBusy: () => boolean
}

/**
 * Checkpoints of the write-ahead log, between commits, after a pause or many commits. They are noted (see log-mark.ts),
 * the first one before anything is committed.
 */
export function createCheckpoints(
  sql: Sql,
  file: string,
  { requireFiles, isBusy }: CheckpointOptions,
): Checkpoints {
  const checkpoint = createNotedCheckpoint(sql, file)
  let timer: NodeJS.Timeout | undefined
  let commits = 0
  let lastCommit = 0
  const sizeCheck = setInterval(foldIfLarge, SIZE_CHECK_MS)
  fold()

  function fold(): void {
    const isQuiet = performance.now() - lastCommit >= QUIET_MS
    timer = undefined
    if (!isQuiet && commits < COMMITS) return schedule()
    try {
      copy()
    } catch {
      // Another writer, or a full disk, for a moment or longer: what is committed is safe in the write-ahead log,
      // and the next commit says what is wrong.
      schedule()
    }
  }

  function copy(): void {
    requireFiles()
    checkpoint()
    commits = 0
  }

  function schedule(): void {
    timer ??= setTimeout(fold, QUIET_MS)
  }

  /** For any writer: a passive checkpoint reads no lock, a restart takes the writers' place for a moment. */
  function foldIfLarge(): void {
    if (isBusy() || walBytes(file) <= MAX_WAL_BYTES) return
    try {
      copy()
      sql.exec('PRAGMA wal_checkpoint(RESTART)')
      copy()
    } catch {
      // Busy, or the disk is full: the next check tries again.
    }
  }

  return {
    committed() {
      commits += 1
      lastCommit = performance.now()
      schedule()
    },
    close() {
      clearTimeout(timer)
      clearInterval(sizeCheck)
    },
  }
}

type CheckpointResult = { readonly log: number; readonly checkpointed: number }

/** A passive checkpoint waits for no reader, and copies what none is in the way of. */
function createNotedCheckpoint(sql: Sql, file: string): () => void {
  let first: number | undefined
  return () => {
    // A copy that was made while the database was closed has an earlier number.
    first ??= nextNumber(countUp(sql))
    const result = sql.one<CheckpointResult>('PRAGMA wal_checkpoint(PASSIVE)')
    const last = countUp(sql)
    if (result && result.checkpointed >= result.log) first = last
    writeLogMark(file, { first, last })
  }
}

/** Returns the number before. */
function countUp(sql: Sql): number {
  sql.change('BEGIN IMMEDIATE')
  try {
    const number = sql.one<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0
    sql.exec(`PRAGMA user_version = ${nextNumber(number)}; COMMIT`)
    return number
  } finally {
    if (sql.inTransaction()) sql.exec('ROLLBACK')
  }
}

function walBytes(file: string): number {
  return statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0
}
