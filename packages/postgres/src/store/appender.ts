import type pg from 'pg'

import type { LogEntry, RunEvent } from 'dragoman/events'
import { isLive } from 'dragoman/events'
import { toState, type AppendCondition } from 'dragoman/stores'

import { isConnectionError, MAX_OUTAGE_MS, sqlState, unavailable } from '../client/connection-errors.ts'
import { databaseClock, type DatabaseClock } from './database-clock.ts'
import { fencedByLoss, findWritten, readQuestions } from './append-checks.ts'
import { appendStatement, type AppendResult } from './append-statement.ts'
import { knownRun, knownRuns, type KnownRun, type KnownRuns } from './known-runs.ts'
import {
  afterAppend,
  needsQuestions,
  planAppend,
  type AppendCall,
  type PlannedAppend,
} from './plan-append.ts'
import { runNotFound, STATE, type StateRow } from './run-rows.ts'
import { NOW } from './schema.ts'
import type { Sql } from './sql.ts'

/** Statements under way at once, never two for one run. A slow disk needs more than one. */
const MAX_STATEMENTS = 2
const MAX_RUNS_PER_STATEMENT = 500
const RETRY_PAUSE_MS = 100

const UNIQUE_VIOLATION = '23505'

/** Appends of this process to all runs. Those that come together are committed as one statement. */
export interface Appender {
  append(runId: string, events: readonly RunEvent[], condition?: AppendCondition): Promise<LogEntry[]>
  /** Called with the state of a new run that this process writes, and the database's time. */
  learn(run: KnownRun, now: number): void
  /** Called when this process has claimed a run. */
  forget(runId: string): void
}

/** The calls of one run. `unsure`: plans whose statement got no answer, so they may be committed. */
type Lane = {
  readonly runId: string
  calls: AppendCall[]
  unsure: PlannedAppend[]
  busy: boolean
  awaySince: number | undefined
}

type Context = { readonly sql: Sql; readonly known: KnownRuns; readonly clock: DatabaseClock }

/**
 * It forgets the states when a connection of the pool is lost or new: the database may have come back without its last
 * commits, or another one may be there.
 */
export function createAppender(sql: Sql, pool: pg.Pool): Appender {
  const context: Context = { sql, known: knownRuns(), clock: databaseClock() }
  pool.on('connect', (client) => {
    context.known.forgetStates()
    client.on('end', () => context.known.forgetStates())
  })
  const lanes = new Map<string, Lane>()
  let statements = 0
  let isScheduled = false

  const schedule = (): void => {
    if (isScheduled) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      start()
    })
  }
  const start = (): void => {
    const ready = [...lanes.values()].filter(({ busy, calls }) => !busy && calls.length > 0)
    if (ready.length === 0 || statements >= MAX_STATEMENTS) return
    const chosen = ready.slice(0, MAX_RUNS_PER_STATEMENT)
    for (const lane of chosen) lane.busy = true
    statements += 1
    void appendLanes(chosen, context).then((pauseMs) => finish(chosen, pauseMs))
  }
  const finish = (chosen: readonly Lane[], pauseMs: number): void => {
    statements -= 1
    for (const lane of chosen) {
      lane.busy = false
      if (lane.calls.length === 0) lanes.delete(lane.runId)
    }
    if (pauseMs > 0) setTimeout(schedule, pauseMs)
    else schedule()
  }
  return {
    append: (runId, events, condition = {}) =>
      new Promise((resolve, reject) => {
        const lane = lanes.get(runId) ?? { runId, calls: [], unsure: [], busy: false, awaySince: undefined }
        lanes.set(runId, lane)
        lane.calls.push({ runId, events, condition, resolve, reject })
        schedule()
      }),
    learn(run, now) {
      context.known.keep(run)
      context.clock.learn(now)
    },
    forget: context.known.forgetEnd,
  }
}

/** Writes the calls of the lanes. Each call gets its own error. Returns the pause before a retry, in ms. */
async function appendLanes(lanes: readonly Lane[], context: Context): Promise<number> {
  try {
    await settleUnsure(lanes, context)
    const fresh = await readStates(lanes, context)
    const plans = (await Promise.all(lanes.map((lane) => planLane(lane, fresh, context)))).filter(
      (plan) => plan !== undefined,
    )
    const isTogether = await write(plans, context)
    if (!isTogether) for (const plan of plans) await write([plan], context)
    return 0
  } catch (error) {
    return onFailure(lanes, error, context)
  }
}

type LanePlan = { readonly lane: Lane; readonly plan: PlannedAppend }

/** Writes plans in one statement. False: another writer used a seq of one of several runs, and nothing is written. */
async function write(plans: readonly LanePlan[], { sql, known, clock }: Context): Promise<boolean> {
  let pending: readonly LanePlan[] = []
  try {
    const [result] = await sql.once<AppendResult>(() => {
      // A plan of a state that was forgotten meanwhile is made again.
      pending = plans.filter(({ lane, plan }) => known.get(lane.runId) === plan.before)
      return pending.length === 0 ? undefined : appendStatement(pending.map(({ plan }) => plan.append))
    })
    clock.learn(result?.now)
    const nums = new Set(result?.nums.map(Number))
    for (const each of pending) {
      if (nums.has(each.plan.append.num)) succeed(each, known)
      else known.forget(each.lane.runId)
    }
    return true
  } catch (error) {
    if (isConnectionError(error)) for (const { lane, plan } of pending) lane.unsure.push(plan)
    if (sqlState(error) !== UNIQUE_VIOLATION) throw error
    const [first, ...others] = pending
    if (others.length > 0) return false
    if (first) known.forget(first.lane.runId)
    return true
  }
}

function succeed({ lane, plan }: LanePlan, runs: KnownRuns): void {
  const after = afterAppend(plan)
  runs.keep(after)
  if (!isLive(after.state)) runs.forget(lane.runId)
  lane.awaySince = undefined
  lane.unsure = []
  settle(lane, plan)
}

/** Gives the calls of a plan what they get. */
function settle(lane: Lane, { answers, refusals }: PlannedAppend): void {
  const done = new Set([...answers, ...refusals].map(({ call }) => call))
  lane.calls = lane.calls.filter((call) => !done.has(call))
  for (const { call, entries } of answers) call.resolve(entries)
  for (const { call, error } of refusals) call.reject(error)
}

/**
 * A statement whose answer was lost may have been committed, or may still be under way. Its very rows tell. Otherwise
 * it cannot be committed any more after the next one: that one uses its seqs or changes the version.
 */
async function settleUnsure(lanes: readonly Lane[], { sql, known }: Context): Promise<void> {
  for (const lane of lanes) {
    for (const plan of lane.unsure) {
      if (!(await findWritten(sql, plan.append))) continue
      succeed({ lane, plan }, known)
      known.forget(lane.runId)
      break
    }
  }
}

/** Reads the states of runs that are not known, in one query. Returns their lanes. */
async function readStates(
  lanes: readonly Lane[],
  { sql, known, clock }: Context,
): Promise<ReadonlySet<Lane>> {
  const unknown = lanes.filter(({ runId, calls }) => calls.length > 0 && !known.get(runId))
  if (unknown.length === 0) return new Set()
  const rows = await sql.all<StateRow & { readonly now: number }>(
    `SELECT *, ${NOW} AS now FROM (${STATE} WHERE r.id = ANY($1)) states`,
    unknown.map(({ runId }) => runId),
  )
  // Before the first append of this process.
  clock.learn(rows[0]?.now)
  const states = new Map(rows.map((row) => [row.id, row]))
  for (const lane of unknown) {
    const row = states.get(lane.runId)
    if (!row) rejectAll(lane, runNotFound(lane.runId))
    else if (toState(row).lastSeq < known.committedSeq(lane.runId)) rejectAll(lane, fencedByLoss(lane.runId))
    else known.keep(knownRun(row))
  }
  return new Set(unknown)
}

/** Undefined if there is nothing to write. `fresh`: lanes whose state was just read. */
async function planLane(
  lane: Lane,
  fresh: ReadonlySet<Lane>,
  { sql, known, clock }: Context,
): Promise<LanePlan | undefined> {
  const run = known.get(lane.runId)
  if (!run || lane.calls.length === 0) return undefined
  const calls = [...lane.calls]
  const isAsking = calls.some(({ events }) => events.some(needsQuestions))
  const questions = isAsking ? await readQuestions(sql, run) : []
  const plan = planAppend(run, calls, { now: clock.now(), questions })
  if (plan.answers.length > 0) return { lane, plan }
  // No statement will tell whether another process has changed the state: only one that was just read may refuse.
  if (fresh.has(lane)) settle(lane, plan)
  else known.forget(lane.runId)
  return undefined
}

/** Keeps the calls for another try while the database is away, for at most 35 s. Other errors go to the callers. */
function onFailure(lanes: readonly Lane[], error: unknown, { known }: Context): number {
  const isAway = isConnectionError(error)
  if (isAway) known.forgetStates()
  for (const lane of lanes) {
    if (!isAway) known.forget(lane.runId)
    lane.awaySince ??= performance.now()
    if (isAway && performance.now() - lane.awaySince < MAX_OUTAGE_MS) continue
    rejectAll(lane, isAway || sqlState(error) !== undefined ? unavailable(error) : error)
  }
  return isAway ? RETRY_PAUSE_MS : 0
}

function rejectAll(lane: Lane, error: unknown): void {
  const { calls } = lane
  lane.calls = []
  lane.unsure = []
  for (const call of calls) call.reject(error)
}
