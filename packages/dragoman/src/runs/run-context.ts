import { setTimeout as pause } from 'node:timers/promises'

import { fairQueue } from '../async/index.ts'
import type { Message, Run } from '../events/index.ts'
import { eventSize, logWriter, type LogWriter } from '../log/index.ts'
import type { AbortCause } from './abort-cause.ts'
import { createExternalEvents, type ExternalEvents } from './external-events.ts'
import { createInPlaceWaits, type InPlaceWaits } from './in-place-waits.ts'
import type { ResolvedAgent, RunnerPorts } from './ports.ts'
import type { RunHistory } from './run-history.ts'
import { createRunBudget, type RunBudget } from './run-budget.ts'
import { createRunTracker, type RunTracker } from './run-tracker.ts'
import { sharedState, stateOf, type SharedState } from './shared-state.ts'
import { createUnansweredCalls, type UnansweredCalls } from './unanswered-calls.ts'

/** A run that this process has claimed under an epoch, ready for an attempt. */
export type ClaimedRun = {
  readonly run: Run
  readonly epoch: number
  readonly resolved: ResolvedAgent
  /** The thread up to the user's message, which comes last. */
  readonly conversation: readonly Message[]
  /** Counts what the run holds: its conversation, and so many bytes of its log. @throws as `RunHold.resize` */
  readonly grow: (logBytes: number) => void
  /** Whether the process before has given the run up in order. */
  readonly isHandedOver?: true | undefined
  /** What earlier attempts have written. */
  readonly history: RunHistory
}

/** What all phases of an attempt share. */
export type RunContext = ClaimedRun & {
  readonly ports: RunnerPorts
  readonly writer: LogWriter
  readonly budget: RunBudget
  readonly tracker: RunTracker
  readonly external: ExternalEvents
  readonly unanswered: UnansweredCalls
  readonly waits: InPlaceWaits
  readonly state: SharedState
  /** Ends the attempt's engine and tools, with an {@link AbortCause}. */
  readonly control: AbortController
}

/**
 * Runs that produce faster than their logs take commit one at a time, and users take turns. In between, the loop and
 * the log are free for those who produce at a usual pace.
 */
const fullWriters = fairQueue({ rest: 2 })
/** What was ahead may be committed already. */
const MIN_COMMIT_MS = 2

export function createRunContext(claim: ClaimedRun, ports: RunnerPorts): RunContext {
  const { run, epoch, history } = claim
  const past = history.past()
  const control = new AbortController()
  const { bytesPerRun: limit } = ports.limits
  const budget = createRunBudget({ limit, used: past?.bytes ?? 0, control, grow: claim.grow })
  const writer = logWriter({
    log: ports.log,
    runId: run.id,
    epoch,
    lastSeq: past?.last ?? 1,
    onRefused: () => control.abort({ kind: 'refused' } satisfies AbortCause),
    onWrite: budget.add,
    onFull: (commit) =>
      fullWriters.run(run.userId, async () => {
        await Promise.all([commit(), pause(MIN_COMMIT_MS)])
      }),
  })
  const tracker = createRunTracker(run.id, past?.events, control.signal)
  const state = sharedState(stateOf(run, past?.events ?? []))
  const external = createExternalEvents({
    runId: run.id,
    after: past?.last ?? 0,
    ports,
    writer,
    tracker,
    state,
    control,
    onEntry: (event) => budget.add(eventSize(event)),
  })
  const unanswered = createUnansweredCalls()
  const waits = createInPlaceWaits(tracker.calls)
  return { ...claim, ports, writer, budget, tracker, external, unanswered, waits, state, control }
}
