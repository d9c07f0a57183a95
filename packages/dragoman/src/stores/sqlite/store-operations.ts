import {
  isLive,
  isStructural,
  type LogEntry,
  type NewRun,
  type Run,
  type RunEvent,
} from '../../events/index.ts'
import {
  claimedFor,
  joinedEntries,
  logPruned,
  nextState,
  refusal,
  threadBusy,
  type AppendCondition,
  type Listing,
  type Reading,
} from '../../log/index.ts'
import { transferRuns } from './transfer-runs.ts'
import { alive, claim, claimable, findInThread } from './claim-runs.ts'
import { discard, readPieces, pack, prune } from './packed-logs.ts'
import { FORM, toColumns, toEntry, toRun, toState, type StoredEntry, type StoredRun } from '../rows/index.ts'
import { requireState, cacheState, RUN, saveState, findRun } from './run-states.ts'
import type { Sql } from './sql-port.ts'

/**
 * The store's deeds, each a plain function on one connection: what is refused is refused before anything is
 * written.
 */
export const storeOperations = {
  create,
  get,
  find,
  list,
  claimable,
  claim,
  alive,
  append,
  read,
  changed,
  ping,
  pack,
  prune,
  discard,
  adopt: transferRuns,
  remove,
}

/** Those that write: they are run inside a transaction. */
export const WRITE_OPERATIONS: ReadonlySet<string> = new Set([
  'create',
  'claim',
  'alive',
  'append',
  'pack',
  'prune',
  'discard',
  'adopt',
  'remove',
])

const BY_KEY = `${RUN} WHERE num = (SELECT num FROM run_keys WHERE user_id = ? AND key = ?)`

function create(
  sql: Sql,
  run: NewRun,
  whenBusy: 'reject' | 'queue',
  owner?: string,
): { run: Run; created: boolean } {
  const existing = keysOf(run)
    .map((key) => sql.one<StoredRun>(BY_KEY, run.userId, key))
    .find(Boolean)
  if (existing) return { run: toRun(existing), created: false }
  const live = findInThread(sql, run.threadId, `'queued', 'running', 'waiting'`)
  if (live && whenBusy === 'reject') throw threadBusy(toRun(live))

  insert(sql, run, live ? 'queued' : 'running')
  const { messageId, input } = run.request
  append(sql, run.id, [{ type: 'run.started', agent: run.agent, messageId, input }])
  if (owner !== undefined && !live) claim(sql, run.id, owner)
  const admitted = sql.one<StoredRun>(`${RUN} WHERE id = ?`, run.id)
  if (!admitted) throw new Error('What was just written is not there.')
  return { run: toRun(admitted), created: true }
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
    `INSERT INTO run_states (num, status, epoch, last_seq, last_at, open_calls, waiting_until, changed)
     VALUES (?, ?, 0, 0, ?, 0, 9e999, ?)`,
    num,
    status,
    now,
    sql.states.nextChange(),
  )
  for (const key of keysOf(run)) addKey(sql, run.userId, key, num)
}

function get(sql: Sql, runId: string): Run | undefined {
  const row = findRun(sql, runId)
  return row && toRun(row)
}

function find(sql: Sql, userId: string, key: string): Run | undefined {
  const row =
    sql.one<StoredRun>(BY_KEY, userId, key) ??
    sql.one<StoredRun>(`${RUN} WHERE user_id = ? AND message_id = ?`, userId, key)
  return row && toRun(row)
}

function list(sql: Sql, threadId: string, { before, limit, live }: Listing): Run[] {
  const until = before === undefined ? Number.MAX_SAFE_INTEGER : (findRun(sql, before)?.num ?? 0)
  const which = live ? `AND status IN ('queued', 'running', 'waiting')` : ''
  const page = `${RUN} WHERE thread_id = ? AND num < ? ${which} ORDER BY num DESC LIMIT ?`
  return sql.all<StoredRun>(page, threadId, until, limit).map(toRun)
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
  const readStructure = (): LogEntry[] =>
    read(sql, runId, 0, { structure: true, limit: Number.MAX_SAFE_INTEGER })
  for (const event of events) {
    state = nextState(state, event, readStructure)
    if ((event.type === 'tool.answered' || event.type === 'user.joined') && event.key !== undefined)
      addKey(sql, before.user_id, event.key, before.num)
    const { kind, part, body } = toColumns(runId, event)
    sql.change(
      'INSERT INTO run_entries (run, seq, at, kind, part, body) VALUES (?, ?, ?, ?, ?, ?)',
      before.num,
      state.lastSeq,
      at - before.created_at,
      kind,
      part,
      body,
    )
  }
  const after = claimedFor(state, as?.claimFor)
  const isChanged = after !== state || events.some(isStructural)
  const saved = isChanged ? saveState(sql, before, after, at) : sql.states.nextChange()
  cacheState(sql, before, { state: after, at, change: saved })
  return { seq: state.lastSeq - events.length + 1, at }
}

function read(sql: Sql, runId: string, after: number, what: Reading = {}): LogEntry[] {
  const state = requireState(sql, runId)
  const { num, created_at, form } = state
  if (form === FORM.pruned) throw logPruned({ id: runId, threadId: state.thread_id })
  const { to = Number.MAX_SAFE_INTEGER, limit = 1000, structure, joined } = what
  const rows = sql.all<StoredEntry>(
    `SELECT seq, at, kind, part, body FROM run_entries WHERE run = ? AND seq > ? AND seq <= ?
     ${structure ? 'AND kind = 0' : ''} ORDER BY seq LIMIT ?`,
    num,
    after,
    to,
    limit,
  )
  const packedRows = structure || isLive(toState(state)) ? [] : readPieces(sql, num, { after, to, limit })
  const all =
    packedRows.length === 0
      ? rows
      : [...rows, ...packedRows].toSorted((a, b) => a.seq - b.seq).slice(0, limit)
  const entries = all.map((row) => toEntry(runId, created_at, row))
  return joined ? joinedEntries(entries) : entries
}

function changed(sql: Sql, after = '0', limit: number): { runs: Run[]; cursor: string } {
  const rows = sql.all<StoredRun>(`${RUN} WHERE changed > ? ORDER BY changed LIMIT ?`, Number(after), limit)
  return { runs: rows.map(toRun), cursor: String(rows.at(-1)?.changed ?? after) }
}

function ping(sql: Sql): void {
  sql.one('SELECT 1')
}

function remove(sql: Sql, threadId: string): void {
  sql.states.forgetAll()
  sql.states.nextChange()
  sql.change('DELETE FROM runs WHERE thread_id = ?', threadId)
}

function keysOf({ key, aliases = [] }: NewRun): readonly string[] {
  return key === undefined ? aliases : [key, ...aliases]
}

function addKey(sql: Sql, userId: string, key: string, num: number): void {
  sql.change('INSERT OR IGNORE INTO run_keys (user_id, key, num) VALUES (?, ?, ?)', userId, key, num)
}
