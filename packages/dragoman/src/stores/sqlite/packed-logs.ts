import { DETACHED_PREFIX } from '../../events/index.ts'
import { MAX_PIECE_ENTRIES, packEntries, takePiece, unpackEntries } from '../rows/index.ts'
import { FORM, type StoredEntry } from '../rows/index.ts'
import type { Sql } from './sql-port.ts'

/** What runs that have ended said, packed in pieces; what tells how their messages are built stays as it is. */

const ENDED = `status IN ('finished', 'failed', 'cancelled')`
/** Logs that are let go of in one transaction. */
const MAX_RUNS_AT_ONCE = 20

/** Packs the next piece of the run that ended first. */
export function pack(sql: Sql, before: number): boolean {
  const run = sql.one<{ num: number }>(
    `SELECT num FROM run_states WHERE ${ENDED} AND form = ${FORM.written} AND last_at < ? ORDER BY last_at LIMIT 1`,
    before,
  )
  if (!run) return false
  const rows = takePiece(nextRows(sql, run.num))
  const [first, last] = [rows[0]?.seq, rows.at(-1)?.seq]
  if (first === undefined || last === undefined) {
    sql.change('UPDATE run_states SET form = ? WHERE num = ?', FORM.packed, run.num)
    return true
  }
  sql.change(
    'INSERT INTO run_pieces (run, last, first, body) VALUES (?, ?, ?, ?)',
    run.num,
    last,
    first,
    packEntries(rows),
  )
  sql.change(
    'DELETE FROM run_entries WHERE run = ? AND seq BETWEEN ? AND ? AND kind != 0',
    run.num,
    first,
    last,
  )
  return true
}

function nextRows(sql: Sql, num: number): StoredEntry[] {
  return sql.all<StoredEntry>(
    `SELECT seq, at, kind, part, body FROM run_entries WHERE run = ? AND kind != 0
     AND seq > coalesce((SELECT max(last) FROM run_pieces WHERE run = ?), 0) ORDER BY seq LIMIT ?`,
    num,
    num,
    MAX_PIECE_ENTRIES,
  )
}

type Range = { readonly after: number; readonly to: number; readonly limit: number }

/** What is packed of a run's entries after one place, up to another: at most `limit` of them, the first. */
export function readPieces(sql: Sql, num: number, { after, to, limit }: Range): StoredEntry[] {
  const found: StoredEntry[] = []
  for (let place = after; found.length < limit;) {
    const piece = sql.one<{ last: number; body: Uint8Array }>(
      'SELECT last, body FROM run_pieces WHERE run = ? AND last > ? AND first <= ? ORDER BY last LIMIT 1',
      num,
      place,
      to,
    )
    if (!piece) break
    for (const row of unpackEntries(piece.body)) if (row.seq > after && row.seq <= to) found.push(row)
    place = piece.last
  }
  return found.slice(0, limit)
}

/** Lets go of the logs of those that ended first. */
export function prune(sql: Sql, before: number): boolean {
  const runs = sql.all<{ num: number }>(
    `SELECT num FROM run_states WHERE ${ENDED} AND form IN (${FORM.written}, ${FORM.packed}) AND last_at < ? LIMIT ?`,
    before,
    MAX_RUNS_AT_ONCE,
  )
  for (const { num } of runs) {
    sql.change('DELETE FROM run_entries WHERE run = ?', num)
    sql.change('DELETE FROM run_pieces WHERE run = ?', num)
    sql.change('UPDATE run_states SET form = ? WHERE num = ?', FORM.pruned, num)
  }
  return runs.length === MAX_RUNS_AT_ONCE
}

/** Removes runs that stand in no conversation, with all that was said in them. */
export function discard(sql: Sql, before: number): boolean {
  const runs = sql.all<{ num: number }>(
    `SELECT num FROM runs JOIN run_states USING (num) WHERE thread_id GLOB '${DETACHED_PREFIX}*' ` +
      `AND ${ENDED} AND last_at < ? LIMIT ?`,
    before,
    MAX_RUNS_AT_ONCE,
  )
  if (runs.length === 0) return false
  sql.states.forgetAll()
  sql.states.nextChange()
  for (const { num } of runs) sql.change('DELETE FROM runs WHERE num = ?', num)
  return runs.length === MAX_RUNS_AT_ONCE
}
