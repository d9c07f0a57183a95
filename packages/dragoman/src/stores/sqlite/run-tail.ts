import type { StoredEntry } from '../rows/index.ts'
import { entryChecksum } from './checksums.ts'
import type { Sql } from './sql-port.ts'

/**
 * The tail of all logs: what runs have said last, in the order in which it came. In `run_entries`, each run has a page
 * of its own, and a commit of a few words of a hundred runs writes a hundred pages. Here it writes one. From time to
 * time the rows are moved in bulk; until then a log is in both tables, whose rows have the same columns.
 */

/** So many rows are moved together. A reader of a log goes through all of them. */
const MAX_ROWS = 4096
/** Rows that are moved are written twice: a longer one is not worth it. */
const MAX_LENGTH = 512
const COLUMNS = 'run, seq, at, kind, part, body, checksum'
const VALUES = 'VALUES (?, ?, ?, ?, ?, ?, ?)'

/** Writes an entry. Structure goes to its place: it is read without the tail. */
export function addEntry(sql: Sql, run: number, { seq, at, kind, part, body }: StoredEntry): void {
  const inTail = kind !== 0 && body.length <= MAX_LENGTH
  const { lastInsertRowid } = sql.change(
    `INSERT INTO ${inTail ? 'run_tail' : 'run_entries'} (${COLUMNS}) ${VALUES}`,
    run,
    seq,
    at,
    kind,
    part,
    body,
    entryChecksum({ seq, at, kind, part, body }),
  )
  if (inTail) sql.states.setTailEnd(Number(lastInsertRowid))
  else sql.states.nextChange()
}

/** Whether it is time to move the rows. The first row after that has the number 1. */
export function isTailLong(sql: Sql): boolean {
  return sql.states.tailEnd() >= MAX_ROWS
}

/** Moves all rows to where the other entries of their runs are. One that a damaged log has twice hinders no other. */
export function sweepTail(sql: Sql): void {
  if (sql.states.tailEnd() === 0) return
  sql.change(
    `INSERT OR IGNORE INTO run_entries (${COLUMNS}) SELECT ${COLUMNS} FROM run_tail ORDER BY run, seq`,
  )
  sql.change('DELETE FROM run_tail')
  sql.states.setTailEnd(0)
  sql.states.nextChange()
}

/** Removes the rows of some runs. */
export function dropFromTail(sql: Sql, runs: readonly { readonly num: number }[]): void {
  if (sql.states.tailEnd() === 0) return
  for (const { num } of runs) sql.change('DELETE FROM run_tail WHERE run = ?', num)
  const end = sql.one<{ id: number }>('SELECT coalesce(max(id), 0) AS id FROM run_tail')
  sql.states.setTailEnd(end?.id ?? 0)
  sql.states.nextChange()
}

/** Moves all rows, if the first is older: then no run that ended before that time has rows in the tail. */
export function sweepOldTail(sql: Sql, before: number): void {
  const first = sql.one<{ at: number }>(
    `SELECT coalesce(run_states.created_at, runs.created_at) + at AS at
     FROM run_tail JOIN runs ON runs.num = run JOIN run_states USING (num) ORDER BY run_tail.id LIMIT 1`,
  )
  if (first && first.at < before) sweepTail(sql)
}
