import type { SQLInputValue } from 'node:sqlite'

import { ServiceError } from '../../errors.ts'
import { isLive } from '../../events/index.ts'
import type { RunState } from '../../log/index.ts'
import type { StoredRun, StoredState } from '../rows/index.ts'
import type { Sql } from './sql-port.ts'

/** The rows of `run_states`, and what is remembered of them between two appends. */

const STATE_COLUMNS = `run_states.*, coalesce(run_states.created_at, runs.created_at) AS created_at,
  last_seq AS end_seq, last_at AS end_at`
export const RUN = `SELECT runs.*, ${STATE_COLUMNS} FROM runs JOIN run_states USING (num)`
/** Without the request: an append must not cost what was asked. */
export const STATE = `SELECT runs.id, message_id, thread_id, user_id, agent, ${STATE_COLUMNS}
  FROM runs JOIN run_states USING (num)`

/** Reads rows of `RUN` or `STATE`. */
export function readStates<Row extends StoredState>(
  sql: Sql,
  text: string,
  ...values: SQLInputValue[]
): Row[] {
  return sql.all<Row>(text, ...values).map((row) => withEnd(sql, row))
}

export function readState<Row extends StoredState>(
  sql: Sql,
  text: string,
  ...values: SQLInputValue[]
): Row | undefined {
  const row = sql.one<Row>(text, ...values)
  return row && withEnd(sql, row)
}

/**
 * Deltas are appended without a word in `run_states`: where the log of a live run ends, its entries say. Only that of
 * another process is asked: to find its end, SQLite reads whatever large entry lies on its way.
 */
function withEnd<Row extends StoredState>(sql: Sql, row: Row): Row {
  if (row.status !== 'running' && row.status !== 'waiting') return row
  const cached = sql.states.get(row.id)
  if (cached) return { ...row, end_seq: cached.end_seq, end_at: cached.end_at }
  const end = sql.one<{ seq: number; at: number }>(LAST_ENTRY, row.num, row.num)
  return { ...row, end_seq: end?.seq ?? null, end_at: end ? row.created_at + end.at : null }
}

const LAST_ENTRY = `SELECT seq, at FROM (
  SELECT * FROM (SELECT seq, at FROM run_entries WHERE run = ? ORDER BY seq DESC LIMIT 1)
  UNION ALL SELECT * FROM (SELECT seq, at FROM run_tail WHERE run = ? ORDER BY id DESC LIMIT 1)
) ORDER BY seq DESC LIMIT 1`

export function findRun(sql: Sql, runId: string): StoredRun | undefined {
  return readState(sql, `${RUN} WHERE id = ?`, runId)
}

export function requireState(sql: Sql, runId: string): StoredState {
  const found = sql.states.get(runId) ?? readState<StoredState>(sql, `${STATE} WHERE id = ?`, runId)
  if (!found) throw new ServiceError('not-found', `There is no run ${runId}.`)
  return found
}

/** Gives the number of the change. */
export function saveState(sql: Sql, before: StoredState, state: RunState, lastAt: number): number {
  const { num } = before
  if (state.epoch !== before.epoch) addClaim(sql, num, state)
  const { status, epoch, crashes, lastSeq, owner, openCalls, waitingUntil } = state
  const change = sql.states.nextChange()
  sql.change(
    `UPDATE run_states SET status = ?, epoch = ?, crashes = ?, last_seq = ?, last_at = ?, owner = ?, open_calls = ?,
      waiting_until = ?,
     changed = ? WHERE num = ?`,
    status,
    epoch,
    crashes,
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

function addClaim(sql: Sql, num: number, { epoch, owner }: RunState): void {
  const add = 'INSERT INTO run_claims (num, epoch, owner, at) VALUES (?, ?, ?, ?)'
  if (owner !== undefined) sql.change(add, num, epoch, owner, sql.now())
}

type After = { readonly state: RunState; readonly at: number | null; readonly change: number }

export function cacheState(sql: Sql, before: StoredState, { state, at, change }: After): void {
  if (!isLive(state)) return sql.states.forget(before.id)
  return sql.states.keep({
    num: before.num,
    id: before.id,
    thread_id: before.thread_id,
    user_id: before.user_id,
    message_id: before.message_id,
    agent: before.agent,
    created_at: before.created_at,
    status: state.status,
    epoch: state.epoch,
    crashes: state.crashes,
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
