import type { ServiceError } from 'dragoman/errors'
import { isStructural, type LogEntry, type RunEvent } from 'dragoman/events'
import {
  claimedFor,
  nextState,
  refusal,
  toColumns,
  type AppendCondition,
  type RunState,
  type StoredEntry,
} from 'dragoman/stores'

import type { RunAppend } from './append-statement.ts'
import type { KnownRun } from './known-runs.ts'

/** One call of `Store.append` that waits for its turn. */
export type AppendCall = {
  readonly runId: string
  readonly events: readonly RunEvent[]
  readonly condition: AppendCondition
  readonly resolve: (entries: LogEntry[]) => void
  readonly reject: (error: unknown) => void
}

/**
 * What one statement writes of one run, and what its calls get: entries or an error. Both rest on the state before, so
 * they hold once the statement is committed.
 */
export type PlannedAppend = {
  readonly append: RunAppend
  readonly before: KnownRun
  readonly at: number
  readonly answers: readonly { readonly call: AppendCall; readonly entries: LogEntry[] }[]
  readonly refusals: readonly { readonly call: AppendCall; readonly error: ServiceError }[]
}

/** Whether the state after an event depends on the questions in the log. */
export function needsQuestions({ type }: RunEvent): boolean {
  return type === 'run.waiting' || type === 'tool.answered'
}

/**
 * Puts the calls of one run after each other. A refused call takes no other with it. `questions` are the structural
 * entries of the log.
 */
export function planAppend(
  before: KnownRun,
  calls: readonly AppendCall[],
  { now, questions }: { readonly now: number; readonly questions: readonly LogEntry[] },
): PlannedAppend {
  const at = Math.max(now, before.at)
  const plan: Draft = { state: before.state, changesState: false, log: [...questions], entries: [], keys: [] }
  const answers: { call: AppendCall; entries: LogEntry[] }[] = []
  const refusals: { call: AppendCall; error: ServiceError }[] = []
  for (const call of calls) {
    const error = refusal(plan.state, call.condition)
    if (error) refusals.push({ call, error })
    else answers.push({ call, entries: addCall(plan, call, { at, before }) })
  }
  const { state, changesState, entries, keys } = plan
  const { num, version } = before
  return {
    append: { num, version, state, isStructural: changesState, lastAt: at, entries, keys },
    before,
    at,
    answers,
    refusals,
  }
}

type Draft = {
  state: RunState
  changesState: boolean
  readonly log: LogEntry[]
  readonly entries: StoredEntry[]
  readonly keys: { readonly userId: string; readonly key: string }[]
}

/** Adds the events of one call. Returns their entries. */
function addCall(
  plan: Draft,
  { events, condition }: AppendCall,
  { at, before }: { readonly at: number; readonly before: KnownRun },
): LogEntry[] {
  const entries = events.map((event): LogEntry => {
    plan.state = nextState(plan.state, event, () => plan.log)
    const entry = { seq: plan.state.lastSeq, at, event }
    plan.log.push(entry)
    plan.entries.push({ seq: entry.seq, at: at - before.createdAt, ...toColumns(plan.state.runId, event) })
    plan.changesState ||= isStructural(event)
    if ((event.type === 'tool.answered' || event.type === 'user.joined') && event.key !== undefined)
      plan.keys.push({ userId: before.userId, key: event.key })
    return entry
  })
  const state = claimedFor(plan.state, condition.claimFor)
  plan.changesState ||= state !== plan.state
  plan.state = state
  return entries
}

/** What is known of a run once the plan was committed. */
export function afterAppend({ before, append, at }: PlannedAppend): KnownRun {
  return { ...before, version: before.version + (append.isStructural ? 1 : 0), state: append.state, at }
}
