import { DETACHED_PREFIX } from 'dragoman/events'
import {
  FORM,
  MAX_PACKED_BYTES,
  MAX_PIECE_CHARACTERS,
  MAX_PIECE_ENTRIES,
  packEntries,
  threadBusy,
  toRun,
} from 'dragoman/stores'

import { storedEntry, type EntryRow } from './append-checks.ts'
import { RUN, type RunRow } from './run-rows.ts'
import type { Query, Sql } from './sql.ts'

const ENDED = `status IN ('finished', 'failed', 'cancelled')`
/** Logs that are deleted in one transaction. */
const MAX_RUNS_AT_ONCE = 20

/** What goes into pieces. */
const PACKABLE = `kind <> 0 AND octet_length(body) <= ${MAX_PACKED_BYTES}`
/** Up to the entry that fills it. */
const NEXT_PIECE = `
SELECT seq, at, kind, part, body FROM (
  SELECT *, sum(octet_length(body)) OVER (ORDER BY seq) - octet_length(body) AS bytes_before FROM (
    SELECT seq, at, kind, part, body FROM run_entries WHERE run = $1 AND ${PACKABLE}
      AND seq > coalesce((SELECT max(last) FROM run_pieces WHERE run = $1), 0) ORDER BY seq LIMIT $2) next) sized
WHERE bytes_before < ${MAX_PIECE_CHARACTERS} ORDER BY seq`

/** Packs the next piece of the run that ended first and that no other node packs. */
export function packNext(sql: Sql, before: number): Promise<boolean> {
  return sql.transaction(async (query) => {
    const [run] = await query<{ num: number }>(
      `SELECT num FROM run_states WHERE ${ENDED} AND form = ${FORM.written} AND last_at < $1
       ORDER BY last_at LIMIT 1 FOR UPDATE SKIP LOCKED`,
      before,
    )
    if (!run) return false
    const rows = await query<EntryRow>(NEXT_PIECE, run.num, MAX_PIECE_ENTRIES)
    const piece = rows.map(storedEntry)
    const [first, last] = [piece[0]?.seq, piece.at(-1)?.seq]
    if (first === undefined || last === undefined) {
      await query(`UPDATE run_states SET form = ${FORM.packed} WHERE num = $1`, run.num)
      return true
    }
    const values = [run.num, last, first, Buffer.from(packEntries(piece))]
    await query('INSERT INTO run_pieces (run, last, first, body) VALUES ($1, $2, $3, $4)', ...values)
    const range = `DELETE FROM run_entries WHERE run = $1 AND seq BETWEEN $2 AND $3 AND ${PACKABLE}`
    await query(range, run.num, first, last)
    return true
  })
}

/** Deletes the logs of the runs that ended first. */
export function pruneNext(sql: Sql, before: number): Promise<boolean> {
  return sql.transaction(async (query) => {
    const runs = await query<{ num: number }>(
      `SELECT num FROM run_states WHERE ${ENDED} AND form IN (${FORM.written}, ${FORM.packed}) AND last_at < $1
       ORDER BY num LIMIT ${MAX_RUNS_AT_ONCE} FOR UPDATE SKIP LOCKED`,
      before,
    )
    const nums = runs.map(({ num }) => num)
    await deleteLogs(query, nums)
    await query(`UPDATE run_states SET form = ${FORM.pruned} WHERE num = ANY ($1)`, nums)
    return runs.length === MAX_RUNS_AT_ONCE
  })
}

/** Removes detached runs that ended before a time. */
export function discardNext(sql: Sql, before: number): Promise<boolean> {
  return sql.transaction(async (query) => {
    const runs = await query<{ num: number }>(
      `SELECT num FROM runs JOIN run_states s USING (num) WHERE starts_with(thread_id, $2) AND ${ENDED} AND last_at < $1
       ORDER BY num LIMIT ${MAX_RUNS_AT_ONCE} FOR UPDATE OF s SKIP LOCKED`,
      before,
      DETACHED_PREFIX,
    )
    await removeRuns(
      query,
      runs.map(({ num }) => num),
    )
    return runs.length === MAX_RUNS_AT_ONCE
  })
}

/** Deletes all runs of a thread. */
export function removeThread(sql: Sql, threadId: string): Promise<void> {
  return sql.transaction(async (query) => {
    const runs = await query<{ num: number }>(
      'SELECT num FROM runs JOIN run_states s USING (num) WHERE thread_id = $1 ORDER BY num FOR UPDATE OF s',
      threadId,
    )
    await removeRuns(
      query,
      runs.map(({ num }) => num),
    )
  })
}

/** The states go first: from then on no append finds them. */
async function removeRuns(query: Query, nums: readonly number[]): Promise<void> {
  if (nums.length === 0) return
  await query('DELETE FROM run_states WHERE num = ANY ($1)', nums)
  await deleteLogs(query, nums)
  await query('DELETE FROM runs WHERE num = ANY ($1)', nums)
}

async function deleteLogs(query: Query, nums: readonly number[]): Promise<void> {
  await query('DELETE FROM run_entries WHERE run = ANY ($1)', nums)
  await query('DELETE FROM run_pieces WHERE run = ANY ($1)', nums)
}

/** Gives all runs of one user to another. @throws ServiceError `thread-busy` while one has not ended */
export function transferRuns(sql: Sql, from: string, to: string): Promise<void> {
  return sql.transaction(async (query) => {
    const [live] = await query<RunRow>(
      `${RUN} WHERE r.user_id = $1 AND s.status IN ('queued', 'running', 'waiting') ORDER BY r.num LIMIT 1`,
      from,
    )
    if (live) throw threadBusy(toRun(live))
    await query(
      `DELETE FROM run_keys k WHERE user_id = $1
       AND EXISTS (SELECT FROM run_keys other WHERE other.user_id = $2 AND other.key = k.key)`,
      from,
      to,
    )
    await query('UPDATE run_keys SET user_id = $2 WHERE user_id = $1', from, to)
    await query('UPDATE runs SET user_id = $2 WHERE user_id = $1', from, to)
  })
}
