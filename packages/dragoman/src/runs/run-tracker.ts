import type { EngineEvent } from '../agents/index.ts'
import {
  addUsage,
  estimateTokens,
  noUsage,
  type Failure,
  type FinishReason,
  type Json,
  type RunEvent,
  type Usage,
} from '../events/index.ts'
import { createToolCalls, type CallState, type ToolCalls } from './tool-calls.ts'

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
  /** What ends the part that is being spoken. */
  endPart(): RunEvent[]
  /** Whether a step has ever begun. */
  readonly hasStep: boolean
  /** Summed over all steps. */
  readonly usage: Usage
  /** Why the last step ended. */
  readonly reason: FinishReason
}

type Part = {
  readonly kind: 'text' | 'reasoning'
  readonly partId: string
  readonly engineId?: string
}

type State = {
  readonly runId: string
  readonly calls: ToolCalls
  /** Parts and calls so far: their ids count up. */
  count: number
  isInStep: boolean
  hasStep: boolean
  part: Part | undefined
  usage: Usage
  reason: FinishReason
  /** Tokens of the open step, by estimate. */
  outputTokens: number
}

/** `logged` are the events that the log holds already. Once `signal` aborts, no call waits for an answer any more. */
export function createRunTracker(
  runId: string,
  logged: readonly RunEvent[] = [],
  signal?: AbortSignal,
): RunTracker {
  const calls = createToolCalls(signal)
  const state: State = {
    runId,
    calls,
    count: 0,
    isInStep: false,
    hasStep: false,
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
    cutOff: (failure, inputTokens) => close((call) => (call === 'input' ? failure : undefined), inputTokens),
    endPart: () => noted(state, partEnd(state)),
    get hasStep() {
      return state.hasStep
    },
    get usage() {
      return state.usage
    },
    get reason() {
      return state.reason
    },
  }
}

function note(state: State, event: RunEvent): void {
  switch (event.type) {
    case 'step.started':
      state.isInStep = true
      state.hasStep = true
      state.outputTokens = 0
      return
    case 'step.finished':
      state.isInStep = false
      state.usage = addUsage(state.usage, event.usage)
      state.reason = event.reason
      return
    case 'text.started':
    case 'reasoning.started':
      state.count += 1
      state.part = { kind: kindOf(event), partId: event.partId }
      return
    case 'text.ended':
    case 'reasoning.ended':
      state.part = undefined
      return
    case 'text.delta':
    case 'reasoning.delta':
      state.outputTokens += estimateTokens(event.delta)
      return
    case 'tool.delta':
      state.outputTokens += estimateTokens(event.delta)
      return state.calls.note(event)
    case 'tool.started':
    case 'tool.called':
      if (state.calls.stateOf(event.callId) === undefined) state.count += 1
      return state.calls.note(event)
    case 'tool.returned':
    case 'tool.failed':
      if (event.usage) state.usage = addUsage(state.usage, event.usage)
      return state.calls.note(event)
    case 'tool.asked':
    case 'tool.answered':
    case 'tool.executing':
      return state.calls.note(event)
    case 'run.started':
    case 'run.waiting':
    case 'run.resumed':
    case 'run.stop-requested':
    case 'run.finished':
    case 'run.failed':
    case 'run.cancelled':
    case 'user.joined':
    case 'tool.progressed':
    case 'data':
    case 'state.changed':
  }
}

function noted(state: State, events: RunEvent[]): RunEvent[] {
  for (const event of events) note(state, event)
  return events
}

type PartEvent = Extract<EngineEvent, { partId: string }>
type CallEvent = Extract<EngineEvent, { callId: string }>

function accept(state: State, event: EngineEvent, callIds: Map<string, string>): RunEvent[] {
  switch (event.type) {
    case 'step.started':
      return noted(state, state.isInStep ? [] : [event])
    case 'step.finished':
      return noted(state, state.isInStep ? [...partEnd(state), event] : [])
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
    case 'data':
      return noted(state, [event])
  }
}

function startPart(state: State, event: PartEvent): RunEvent[] {
  const ended = noted(state, partEnd(state))
  const [kind, partId] = [kindOf(event), newId(state)]
  const started = noted(state, [{ type: `${kind}.started`, partId }])
  state.part = { kind, partId, engineId: event.partId }
  return [...ended, ...started]
}

/** A delta for a part that has been ended, since another began, begins a part of its own. */
function acceptDelta(
  state: State,
  event: Extract<PartEvent, { type: 'text.delta' | 'reasoning.delta' }>,
): RunEvent[] {
  if (event.delta === '') return []
  const started = isOpen(state, event) ? [] : startPart(state, event)
  return [
    ...started,
    ...noted(state, [{ type: event.type, partId: state.part?.partId ?? '', delta: event.delta }]),
  ]
}

function acceptCall(state: State, event: CallEvent, callIds: Map<string, string>): RunEvent[] {
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

function newId({ runId, count }: State): string {
  return `${runId}.${count + 1}`
}

function partEnd({ part }: State, provider?: Json): RunEvent[] {
  if (!part) return []
  return [{ type: `${part.kind}.ended`, partId: part.partId, ...(provider !== undefined && { provider }) }]
}

/** The model does not say what a step has cost that was cut off. */
function stepEnd({ isInStep, outputTokens }: State, inputTokens: () => number): RunEvent[] {
  if (!isInStep) return []
  const usage: Usage = { inputTokens: inputTokens(), outputTokens, estimated: true }
  return [{ type: 'step.finished', reason: 'interrupted', usage }]
}

function isOpen({ part }: State, event: PartEvent): boolean {
  return part?.kind === kindOf(event) && part.engineId === event.partId
}

function kindOf({ type }: { readonly type: PartEvent['type'] }): Part['kind'] {
  return type.startsWith('text') ? 'text' : 'reasoning'
}
