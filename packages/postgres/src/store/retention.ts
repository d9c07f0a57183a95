import { DETACHED_PREFIX } from 'dragoman/events'
import { FORM, MAX_COUNTED_RUNS, threadBusy, toRun, type Backlog } from 'dragoman/stores'

import { ENDED, RUN, type RunRow } from './run-rows.ts'
import type { Query, Sql } from './sql.ts'

/** Logs that are deleted in one transaction. */
const MAX_RUNS_AT_ONCE = 20

/** What there is to pack and to delete. */
export async function readBacklog(sql: Sql, before: number): Promise<Backlog> {
  const oldest = (form: number): string =>
    `SELECT min(last_at) AS at FROM run_states WHERE ${ENDED} AND form = ${form}`
  const [row] = await sql.all<{ unpacked: number; oldestAt: number | null }>(
    `SELECT (SELECT count(*) FROM (SELECT FROM run_states WHERE ${ENDED} AND form = ${FORM.written} AND last_at < $1
       LIMIT ${MAX_COUNTED_RUNS}) due) AS unpacked,
     (SELECT min(at) FROM (${oldest(FORM.written)} UNION ALL ${oldest(FORM.packed)}) kept) AS "oldestAt"`,
    before,
  )
  return {
    unpacked: row?.unpacked ?? 0,
    ...(typeof row?.oldestAt === 'number' && { oldestAt: row.oldestAt }),
  }
}

/** Deletes the logs of the runs that ended first. */
export function pruneNext(sql: Sql, before: number, upTo: string | undefined): Promise<boolean> {
  return sql.transaction(async (query) => {
    const due = (form: number): string =>
      `(SELECT num FROM run_states WHERE ${ENDED} AND form = ${form} AND last_at < $1
       AND ($2::text IS NULL OR changed <= $2::xid8) ORDER BY last_at LIMIT ${MAX_RUNS_AT_ONCE})`
    const runs = await query<{ num: number }>(
      `SELECT num FROM run_states WHERE num IN (${due(FORM.written)} UNION ALL ${due(FORM.packed)})
       AND ${ENDED} AND form <> ${FORM.pruned} ORDER BY num LIMIT ${MAX_RUNS_AT_ONCE} FOR UPDATE SKIP LOCKED`,
      before,
      upTo ?? null,
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
