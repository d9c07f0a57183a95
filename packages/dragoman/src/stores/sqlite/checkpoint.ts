import { statSync } from 'node:fs'

import { nextNumber, writeLogMark } from '../../log-mark.ts'
import type { Sql } from './sql-port.ts'

type CheckpointResult = { readonly log: number; readonly checkpointed: number }

export type Checkpoint = {
  /** The earliest number that the file itself may have: the next connection that makes checkpoints goes on from it. */
  readonly first: number
  /** Pages of the write-ahead log. */
  readonly pages: number
  /** Whether no reader was in the way. */
  readonly isWhole: boolean
}

/**
 * A passive checkpoint waits for no reader, and copies what none is in the way of. Each is noted: see log-mark.ts.
 */
export function createCheckpoint(sql: Sql, file: string, earlierFirst?: number): () => Checkpoint {
  let first = earlierFirst
  return () => {
    // A copy that was made while the database was closed has an earlier number.
    first ??= nextNumber(countUp(sql))
    const result = sql.one<CheckpointResult>('PRAGMA wal_checkpoint(PASSIVE)')
    const last = countUp(sql)
    const { log, checkpointed } = result ?? { log: 0, checkpointed: -1 }
    const isWhole = checkpointed >= log
    if (isWhole) first = last
    writeLogMark(file, { first, last })
    return { first, pages: log, isWhole }
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

export function walBytes(file: string): number {
  return statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0
}
