import type { Message, Run } from '../events/index.ts'
import { logWriter, type LogWriter } from '../log/index.ts'
import type { AbortCause } from './abort-cause.ts'
import { createExternalEvents, type ExternalEvents } from './external-events.ts'
import type { ResolvedAgent, RunnerPorts } from './ports.ts'
import type { RunHistory } from './run-history.ts'
import { createRunTracker, type RunTracker } from './run-tracker.ts'
import { sharedState, stateOf, type SharedState } from './shared-state.ts'

/** A run that this process has claimed under an epoch, ready for an attempt. */
export type ClaimedRun = {
  readonly run: Run
  readonly epoch: number
  readonly resolved: ResolvedAgent
  /** The thread up to the user's message, which comes last. */
  readonly conversation: readonly Message[]
  /** What earlier attempts have written. */
  readonly history: RunHistory
}

/** What all phases of an attempt share. */
export type RunContext = ClaimedRun & {
  readonly ports: RunnerPorts
  readonly writer: LogWriter
  readonly tracker: RunTracker
  readonly external: ExternalEvents
  readonly state: SharedState
  /** Ends the attempt's engine and tools, with an {@link AbortCause}. */
  readonly control: AbortController
}

export function createRunContext(claim: ClaimedRun, ports: RunnerPorts): RunContext {
  const { run, epoch, history } = claim
  const past = history.past()
  const control = new AbortController()
  const writer = logWriter({
    log: ports.log,
    runId: run.id,
    epoch,
    lastSeq: past?.last ?? 1,
    onRefused: () => control.abort({ kind: 'refused' } satisfies AbortCause),
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
  })
  return { ...claim, ports, writer, tracker, external, state, control }
}
