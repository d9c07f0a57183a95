import { ServiceError } from '../../errors.ts'
import { isLive } from '../../events/index.ts'
import type { RunState } from '../../log/index.ts'
import type { StoredRun, StoredState } from '../rows/index.ts'
import type { Sql } from './sql-port.ts'

/** The rows of `run_states`, and what is remembered of them between two appends. */

/** Deltas are appended without a word in `run_states`: where the log of a live run ends, its entries say. */
const END = `CASE WHEN status IN ('running', 'waiting') THEN
  (SELECT max(seq) FROM run_entries WHERE run = num) ELSE last_seq END AS end_seq,
  created_at + (SELECT at FROM run_entries WHERE run = num ORDER BY seq DESC LIMIT 1) AS end_at`
export const RUN = `SELECT runs.*, run_states.*, ${END} FROM runs JOIN run_states USING (num)`
/** Without the request: an append must not cost what was asked. */
export const STATE = `SELECT runs.id, thread_id, user_id, agent, created_at, run_states.*, ${END}
  FROM runs JOIN run_states USING (num)`

export function findRun(sql: Sql, runId: string): StoredRun | undefined {
  return sql.one(`${RUN} WHERE id = ?`, runId)
}

export function requireState(sql: Sql, runId: string): StoredState {
  const found = sql.states.get(runId) ?? sql.one<StoredState>(`${STATE} WHERE id = ?`, runId)
  if (!found) throw new ServiceError('not-found', `There is no run ${runId}.`)
  return found
}

/** Gives the number of the change. */
export function saveState(sql: Sql, { num }: StoredState, state: RunState, lastAt: number): number {
  const { status, epoch, lastSeq, owner, openCalls, waitingUntil } = state
  const change = sql.states.nextChange()
  sql.change(
    `UPDATE run_states SET status = ?, epoch = ?, last_seq = ?, last_at = ?, owner = ?, open_calls = ?,
      waiting_until = ?,
     changed = ? WHERE num = ?`,
    status,
    epoch,
    lastSeq,
    lastAt,
    owner ?? null,
    openCalls,
    waitingUntil,
    change,
    num,
  )
  return change
}

type After = { readonly state: RunState; readonly at: number | null; readonly change: number }

export function cacheState(sql: Sql, before: StoredState, { state, at, change }: After): void {
  if (!isLive(state)) return sql.states.forget(before.id)
  return sql.states.keep({
    num: before.num,
    id: before.id,
    thread_id: before.thread_id,
    user_id: before.user_id,
    agent: before.agent,
    created_at: before.created_at,
    status: state.status,
    epoch: state.epoch,
    last_seq: state.lastSeq,
    last_at: before.last_at,
    end_seq: state.lastSeq,
    end_at: at,
    owner: state.owner ?? null,
    open_calls: state.openCalls,
    waiting_until: state.waitingUntil,
    changed: change,
    form: before.form,
  })
}
