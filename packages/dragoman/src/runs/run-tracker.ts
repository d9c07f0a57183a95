import type { EngineEvent } from '../agents/index.ts'
import {
  noUsage,
  type Failure,
  type FileEvent,
  type FinishReason,
  type RunEvent,
  type Usage,
} from '../events/index.ts'
import { createToolCalls, type CallState, type ToolCalls } from './tool-calls.ts'
import {
  kindOf,
  newId,
  note,
  noted,
  outputEnd,
  partEnd,
  stepEnd,
  type TrackerState,
} from './tracker-state.ts'

/**
 * What a run's log holds open: at most one step and one spoken part, and the calls without outcome. It makes an
 * engine's events legal (ids of ours, nothing left open, nothing said twice) and knows what must be closed before the
 * run may end.
 */
export interface RunTracker {
  readonly calls: ToolCalls
  /**
   * An engine's event in the log's words: none where it makes no sense, several where something had to be closed
   * first. `callIds` are our ids of the engine's calls; a new call's is added.
   */
  accept(event: EngineEvent, callIds: Map<string, string>): RunEvent[]
  /** Takes note of an event that goes into the log. */
  note(event: RunEvent): void
  /** What closes everything that is open. Calls without outcome fail as `failureOf` says, by how far each has come. */
  close(failureOf: (state: CallState) => Failure, inputTokens: () => number): RunEvent[]
  /** What closes that which an attempt has cut off: its words, its step, and calls whose input was not complete. */
  cutOff(failure: Failure, inputTokens: () => number): RunEvent[]
  /** What ends the output of a step: the part that is being spoken, and calls of which the provider says no more. */
  endOutput(reason: FinishReason): RunEvent[]
  /** Whether a step has ever begun. */
  readonly hasStep: boolean
  /** That of the last step. */
  readonly model: string | undefined
  /** Summed over all steps. */
  readonly usage: Usage
  /** Why the last step ended. */
  readonly reason: FinishReason
}

/** `logged` are the events that the log holds already. Once `signal` aborts, no call waits for an answer any more. */
export function createRunTracker(
  runId: string,
  logged: readonly RunEvent[] = [],
  signal?: AbortSignal,
): RunTracker {
  const calls = createToolCalls(signal)
  const state: TrackerState = {
    runId,
    calls,
    count: 0,
    isInStep: false,
    hasStep: false,
    model: undefined,
    part: undefined,
    usage: noUsage,
    reason: 'other',
    outputTokens: 0,
  }
  for (const event of logged) note(state, event)
  const close = (failureOf: (call: CallState) => Failure | undefined, inputTokens: () => number) =>
    noted(state, [...partEnd(state), ...calls.failures(failureOf), ...stepEnd(state, inputTokens)])
  return {
    calls,
    accept: (event, callIds) => accept(state, event, callIds),
    note: (event) => note(state, event),
    close,
    cutOff(failure, inputTokens) {
      // After a whole step, the outcomes of the provider's own calls may still come.
      const isCut = (call: CallState): boolean => call === 'input' || (call === 'provider' && state.isInStep)
      return close((call) => (isCut(call) ? failure : undefined), inputTokens)
    },
    endOutput: (reason) => noted(state, outputEnd(state, reason)),
    get hasStep() {
      return state.hasStep
    },
    get model() {
      return state.model
    },
    get usage() {
      return state.usage
    },
    get reason() {
      return state.reason
    },
  }
}

type PartEvent = Extract<EngineEvent, { partId: string }>
type OutcomeEvent = Extract<EngineEvent, { type: 'tool.returned' | 'tool.failed' }>
type CallEvent = Exclude<Extract<EngineEvent, { callId: string }>, OutcomeEvent>

function accept(state: TrackerState, event: EngineEvent, callIds: Map<string, string>): RunEvent[] {
  switch (event.type) {
    case 'step.started':
      return noted(state, state.isInStep ? [] : [event])
    case 'step.finished':
      return noted(state, state.isInStep ? [...outputEnd(state, event.reason), event] : [])
    case 'text.started':
    case 'reasoning.started':
      return startPart(state, event)
    case 'text.delta':
    case 'reasoning.delta':
      return acceptDelta(state, event)
    case 'text.ended':
    case 'reasoning.ended':
      return noted(state, isOpen(state, event) ? partEnd(state, event.provider) : [])
    case 'tool.started':
    case 'tool.delta':
    case 'tool.called':
      return acceptCall(state, event, callIds)
    case 'tool.returned':
    case 'tool.failed':
      return acceptOutcome(state, event, callIds)
    case 'file':
      return noted(state, state.isInStep ? [withCallId(event, callIds)] : [])
    case 'source':
    case 'custom':
      return noted(state, state.isInStep ? [event] : [])
    case 'data':
      return noted(state, [event])
  }
}

function startPart(state: TrackerState, event: PartEvent): RunEvent[] {
  const ended = noted(state, partEnd(state))
  const [kind, partId] = [kindOf(event), newId(state)]
  const started = noted(state, [{ type: `${kind}.started`, partId }])
  state.part = { kind, partId, engineId: event.partId }
  return [...ended, ...started]
}

/** A delta for a part that has been ended, since another began, begins a part of its own. */
function acceptDelta(
  state: TrackerState,
  event: Extract<PartEvent, { type: 'text.delta' | 'reasoning.delta' }>,
): RunEvent[] {
  if (event.delta === '') return []
  const started = isOpen(state, event) ? [] : startPart(state, event)
  return [
    ...started,
    ...noted(state, [{ type: event.type, partId: state.part?.partId ?? '', delta: event.delta }]),
  ]
}

function acceptCall(state: TrackerState, event: CallEvent, callIds: Map<string, string>): RunEvent[] {
  const { calls } = state
  const knownCallId = callIds.get(event.callId)
  const isInput = knownCallId !== undefined && calls.stateOf(knownCallId) === 'input'
  if (event.type === 'tool.delta')
    return isInput && event.delta !== '' ? noted(state, [{ ...event, callId: knownCallId }]) : []
  if (knownCallId !== undefined && (event.type === 'tool.started' || !isInput)) return []
  const ended = noted(state, partEnd(state))
  const callId = knownCallId ?? newId(state)
  callIds.set(event.callId, callId)
  // The input of a call that has begun has been streamed when it is called: readers need not ask whether it was.
  const input: RunEvent[] =
    event.type === 'tool.called' && isInput && calls.isUnstreamed(callId)
      ? [{ type: 'tool.delta', callId, delta: JSON.stringify(event.input) }]
      : []
  return [...ended, ...noted(state, [...input, { ...event, callId }])]
}

/** Only the host says what becomes of a call that it runs. A call of an earlier attempt has our id. */
function acceptOutcome(
  state: TrackerState,
  event: OutcomeEvent,
  callIds: ReadonlyMap<string, string>,
): RunEvent[] {
  const callId = callIds.get(event.callId) ?? event.callId
  if (state.calls.stateOf(callId) !== 'provider') return []
  return noted(state, [{ ...event, callId }])
}

/** A file may be of a call. */
function withCallId(event: FileEvent, callIds: ReadonlyMap<string, string>): FileEvent {
  const { callId } = event
  return callId === undefined ? event : { ...event, callId: callIds.get(callId) ?? callId }
}

function isOpen({ part }: TrackerState, event: PartEvent): boolean {
  return part?.kind === kindOf(event) && part.engineId === event.partId
}
