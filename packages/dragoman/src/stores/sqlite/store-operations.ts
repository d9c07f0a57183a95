import {
  isStructural,
  type LogEntry,
  type NewRun,
  type Run,
  type RunEvent,
  type RunSummary,
} from '../../events/index.ts'
import {
  claimedFor,
  nextState,
  refusal,
  threadBusy,
  type AppendCondition,
  type ChangesOf,
  type Listing,
} from '../../log/index.ts'
import { transferRuns } from './transfer-runs.ts'
import { alive, claim, claimable, claims, findInThread, release } from './claim-runs.ts'
import { backlog, discard, pack, prune } from './packed-logs.ts'
import { read } from './read-log.ts'
import { addEntry, sweepTail } from './run-tail.ts'
import { toColumns, toRun, toState, toSummary, type StoredRun, type StoredState } from '../rows/index.ts'
import {
  requireState,
  cacheState,
  readState,
  readStates,
  RUN,
  STATE,
  saveState,
  findRun,
} from './run-states.ts'
import type { Sql } from './sql-port.ts'

/** Each is a plain function on one connection: what is refused is refused before anything is written. */
export const storeOperations = {
  create,
  get,
  find,
  list,
  summaries,
  claimable,
  claim,
  claims,
  release,
  alive,
  append,
  read,
  changed,
  ping,
  pack,
  prune,
  backlog,
  discard,
  adopt: transferRuns,
  remove,
}

export const READ_OPERATIONS: ReadonlySet<string> = new Set([
  'get',
  'find',
  'list',
  'summaries',
  'claimable',
  'claims',
  'read',
  'changed',
  'backlog',
])

/** Those that write: they are run inside a transaction. */
export const WRITE_OPERATIONS: ReadonlySet<string> = new Set([
  'create',
  'claim',
  'release',
  'alive',
  'append',
  'pack',
  'prune',
  'discard',
  'adopt',
  'remove',
])

const BY_KEY = `${RUN} WHERE num = (SELECT num FROM run_keys WHERE user_id = ? AND key = ?)`

/** Gives the run that a key names, or the state of the new one: its request may be large, and is not read again. */
function create(
  sql: Sql,
  run: NewRun,
  whenBusy: 'reject' | 'queue',
  owner?: string,
): { known: Run } | { state: RunSummary } {
  const existing = keysOf(run)
    .map((key) => readState<StoredRun>(sql, BY_KEY, run.userId, key))
    .find(Boolean)
  if (existing) return { known: toRun(existing) }
  const live = findInThread(sql, run.threadId, `'queued', 'running', 'waiting'`)
  if (live && whenBusy === 'reject') throw threadBusy(toSummary(live))

  insert(sql, run, live ? 'queued' : 'running')
  const { messageId, input } = run.request
  append(sql, run.id, [{ type: 'run.started', agent: run.agent, messageId, input }])
  if (owner !== undefined && !live) claim(sql, run.id, owner)
  return { state: toSummary(requireState(sql, run.id)) }
}

function insert(sql: Sql, run: NewRun, status: Run['status']): void {
  const now = sql.now()
  const { lastInsertRowid } = sql.change(
    `INSERT INTO runs (id, thread_id, user_id, message_id, agent, parent_id, run_key, request, reply, on_crash,
      created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    run.id,
    run.threadId,
    run.userId,
    run.messageId,
    run.agent,
    run.parentId ?? null,
    run.key ?? null,
    JSON.stringify(run.request),
    JSON.stringify(run.reply),
    run.onCrash,
    now,
  )
  const num = Number(lastInsertRowid)
  sql.change(
    `INSERT INTO run_states (num, status, epoch, last_seq, last_at, open_calls, waiting_until, changed, created_at)
     VALUES (?, ?, 0, 0, ?, 0, 9e999, ?, ?)`,
    num,
    status,
    now,
    sql.states.nextChange(),
    now,
  )
  for (const key of keysOf(run)) addKey(sql, run.userId, key, num)
}

function get(sql: Sql, runId: string): Run | undefined {
  const row = findRun(sql, runId)
  return row && toRun(row)
}

function find(sql: Sql, userId: string, key: string): Run | undefined {
  const row =
    readState<StoredRun>(sql, BY_KEY, userId, key) ??
    readState<StoredRun>(sql, `${RUN} WHERE user_id = ? AND message_id = ?`, userId, key)
  return row && toRun(row)
}

const NUMBER = 'SELECT num FROM runs WHERE id = ?'

function list(sql: Sql, threadId: string, { before, limit, live }: Listing): RunSummary[] {
  const until =
    before === undefined ? Number.MAX_SAFE_INTEGER : (sql.one<{ num: number }>(NUMBER, before)?.num ?? 0)
  const which = live ? `AND status IN ('queued', 'running', 'waiting')` : ''
  const page = `${STATE} WHERE thread_id = ? AND num < ? ${which} ORDER BY num DESC LIMIT ?`
  return readStates<StoredState>(sql, page, threadId, until, limit).map(toSummary)
}

function summaries(sql: Sql, runIds: readonly string[]): RunSummary[] {
  const found = `${STATE} WHERE id IN (SELECT value FROM json_each(?))`
  return readStates<StoredState>(sql, found, JSON.stringify(runIds)).map(toSummary)
}

function append(
  sql: Sql,
  runId: string,
  events: readonly RunEvent[],
  as?: AppendCondition,
): { seq: number; at: number } {
  const before = requireState(sql, runId)
  let state = toState(before)
  const refused = refusal(state, as)
  if (refused) throw refused

  const at = Math.max(sql.now(), before.end_at ?? before.last_at)
  const entries: LogEntry[] = []
  const readStructure = (): LogEntry[] => [
    ...read(sql, runId, 0, { structure: true, limit: Number.MAX_SAFE_INTEGER }),
    ...entries.filter(({ event }) => isStructural(event)),
  ]
  // What is damaged refuses all of them before the first is written.
  for (const event of events) {
    state = nextState(state, event, readStructure)
    entries.push({ seq: state.lastSeq, at, event })
  }
  for (const { seq, event } of entries) {
    if ((event.type === 'tool.answered' || event.type === 'user.joined') && event.key !== undefined)
      addKey(sql, before.user_id, event.key, before.num)
    addEntry(sql, before.num, { seq, at: at - before.created_at, ...toColumns(runId, event) })
  }
  const after = claimedFor(state, as?.claimFor)
  const isChanged = after !== state || events.some(isStructural)
  const saved = isChanged ? saveState(sql, before, after, at) : before.changed
  cacheState(sql, before, { state: after, at, change: saved })
  return { seq: state.lastSeq - events.length + 1, at }
}

/** The `+` keeps SQLite at the index of changes, of which few are new: a user may have many runs. */
function changed(
  sql: Sql,
  after = '0',
  limit: number,
  which?: ChangesOf,
): { runs: RunSummary[]; cursor: string } {
  const isParts = which !== undefined && 'parts' in which
  const whose = isParts
    ? 'AND part_of_thread(thread_id, ?) IN (SELECT value FROM json_each(?))'
    : which && 'AND +user_id = ?'
  const values = isParts ? [which.of, JSON.stringify(which.parts)] : which ? [which.userId] : []
  const rows = readStates<StoredState>(
    sql,
    `${STATE} WHERE changed > ? ${whose ?? ''} ORDER BY changed LIMIT ?`,
    Number(after),
    ...values,
    limit,
  )
  const last =
    isParts && rows.length < limit
      ? sql.one<{ changed: number | null }>('SELECT max(changed) AS changed FROM run_states')
      : rows.at(-1)
  return { runs: rows.map(toSummary), cursor: String(Math.max(Number(after), last?.changed ?? 0)) }
}

function ping(sql: Sql): void {
  sql.one('SELECT 1')
}

function remove(sql: Sql, threadId: string): void {
  sql.states.forgetAll()
  sql.states.nextChange()
  // SQLite would go through all rows of the tail for each run.
  sweepTail(sql)
  sql.change('DELETE FROM runs WHERE thread_id = ?', threadId)
}

function keysOf({ key, aliases = [] }: NewRun): readonly string[] {
  return key === undefined ? aliases : [key, ...aliases]
}

function addKey(sql: Sql, userId: string, key: string, num: number): void {
  sql.change('INSERT OR IGNORE INTO run_keys (user_id, key, num) VALUES (?, ?, ?)', userId, key, num)
}
