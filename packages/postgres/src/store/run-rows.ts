import { ServiceError } from 'dragoman/errors'
import type { StoredRun } from 'dragoman/stores'

import type { Sql } from './sql.ts'

/**
 * A run with its state. A delta is appended without a change of `run_states`: the end of a live run's log comes from
 * its entries.
 */
export const RUN = `
  SELECT r.num, r.id, r.thread_id, r.user_id, r.message_id, r.agent, r.parent_id, r.run_key, r.request, r.reply,
    r.on_crash, r.created_at, ${stateColumns('r')}
  FROM runs r JOIN run_states s USING (num) ${end('r')}`

/** The same without the request, which may be large. */
export const STATE = `
  SELECT r.num, r.id, r.message_id, r.thread_id, r.user_id, r.agent, r.created_at, ${stateColumns('r')}
  FROM runs r JOIN run_states s USING (num) ${end('r')}`

function stateColumns(runs: string): string {
  return `s.version, s.status, s.epoch, s.crashes, s.last_seq, s.last_at, s.owner, s.open_calls, s.waiting_until,
    s.changed::text AS changed, s.form,
    CASE WHEN s.status IN ('running', 'waiting') THEN e.seq ELSE s.last_seq END AS end_seq,
    ${runs}.created_at + e.at AS end_at`
}

function end(runs: string): string {
  return `LEFT JOIN LATERAL (
    SELECT seq, at FROM run_entries WHERE run = ${runs}.num ORDER BY seq DESC LIMIT 1) e ON true`
}

/** The condition on a row of `run_states` that its run has ended. */
export const ENDED = `status IN ('finished', 'failed', 'cancelled')`

export type RunRow = StoredRun & { readonly version: number }
export type StateRow = Omit<RunRow, 'parent_id' | 'run_key' | 'request' | 'reply' | 'on_crash'>

export async function findRun(sql: Sql, runId: string): Promise<RunRow | undefined> {
  const [row] = await sql.all<RunRow>(`${RUN} WHERE r.id = $1`, runId)
  return row
}

/** @throws ServiceError `not-found` */
export async function requireState(sql: Sql, runId: string): Promise<StateRow> {
  const row = await findState(sql, runId)
  if (!row) throw runNotFound(runId)
  return row
}

export async function findState(sql: Sql, runId: string): Promise<StateRow | undefined> {
  const [row] = await sql.all<StateRow>(`${STATE} WHERE r.id = $1`, runId)
  return row
}

export function runNotFound(runId: string): ServiceError {
  return new ServiceError('not-found', `There is no run ${runId}.`)
}
