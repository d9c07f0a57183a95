import type { EngineEvent } from '../agents/index.ts'
import type { Failure, FinishReason, Json, RunEvent, Usage } from '../events/index.ts'
import {
  emptyState,
  endSpoken,
  endStep,
  failedCalls,
  isAsked,
  note,
  type OpenState,
  type Spoken,
  type State,
} from './transcript-state.ts'

/**
 * What a run's log holds open: at most one step and one spoken part, and the calls without outcome. It makes an engine's events legal
 * (ids of ours, nothing left open, nothing said twice) and knows what must be closed before the run may end.
 */
export interface Transcript {
  /** An engine's event in the log's words: none where it makes no sense, several where something had to be closed first. */
  accept(event: EngineEvent): RunEvent[]
  /** Takes note of an event that goes into the log. */
  note(event: RunEvent): void
  /** Our id of an engine's call. */
  callId(engineId: string): string | undefined
  /** An engine begins anew with its ids. */
  forgetIds(): void
  /** What closes everything that is open. Calls that nobody settled fail as `failureOf` says, by how far each has come. */
  closing(failureOf: (state: OpenState) => Failure, inputTokens: () => number): RunEvent[]
  /** What closes that which an attempt has cut off: its words, its step, and calls whose input was not complete. */
  cut(failure: Failure, inputTokens: () => number): RunEvent[]
  /** What ends the part that is being spoken. */
  hush(): RunEvent[]
  /** Calls that wait for an answer, in the order in which they were made. */
  readonly asked: readonly string[]
  /** Whether an answer is one to what is asked now, not to what the call was asked before. */
  isAsked(answered: Extract<RunEvent, { type: 'tool.answered' }>): boolean
  /** Whether a step has ever begun. */
  readonly begun: boolean
  /** Summed over all steps. */
  readonly usage: Usage
  /** Why the last step ended. */
  readonly reason: FinishReason
}

/** `soFar` are the events that the log holds already. */
export function transcript(runId: string, soFar: readonly RunEvent[] = []): Transcript {
  const state = emptyState()
  const ids = new Map<string, string>()
  for (const event of soFar) note(state, event)
  const newId = (): string => `${runId}.${state.count + 1}`
  const keep = (events: RunEvent[]): RunEvent[] => {
    for (const event of events) note(state, event)
    return events
  }
  return {
    accept(event) {
      switch (event.type) {
        case 'step.started':
          return keep(state.step ? [] : [event])
        case 'step.finished':
          return keep(state.step ? [...endSpoken(state), event] : [])
        case 'text.started':
        case 'reasoning.started':
          return startSpoken(state, keep, { kind: kindOf(event), partId: newId, engineId: event.partId })
        case 'text.delta':
        case 'reasoning.delta':
          return acceptDelta(state, keep, newId, event)
        case 'text.ended':
        case 'reasoning.ended':
          return keep(isOpen(state, event) ? endSpoken(state, event.provider) : [])
        case 'tool.started':
        case 'tool.delta':
        case 'tool.called':
          return acceptCall(state, keep, newId, { ids, event })
        case 'data':
          return keep([event])
      }
    },
    note: (event) => note(state, event),
    callId: (engineId) => ids.get(engineId),
    forgetIds: () => ids.clear(),
    closing(failureOf, inputTokens) {
      const calls = failedCalls(state, failureOf, () => true)
      return keep([...endSpoken(state), ...calls, ...endStep(state, inputTokens)])
    },
    cut(failure, inputTokens) {
      const calls = failedCalls(state, () => failure, isInput)
      return keep([...endSpoken(state), ...calls, ...endStep(state, inputTokens)])
    },
    hush: () => keep(endSpoken(state)),
    get asked() {
      return [...state.calls].flatMap(([callId, call]) => (call === 'asked' ? [callId] : []))
    },
    isAsked: (answered) => isAsked(state, answered),
    get begun() {
      return state.begun
    },
    get usage(): Usage {
      return state.usage
    },
    get reason(): FinishReason {
      return state.reason
    },
  }
}

type Keep = (events: RunEvent[]) => RunEvent[]
type PartEngineEvent = Extract<EngineEvent, { partId: string }>
type CallEngineEvent = Extract<EngineEvent, { callId: string }>

function startSpoken(
  state: State,
  keep: Keep,
  part: { kind: Spoken['kind']; partId: () => string; engineId: string },
): RunEvent[] {
  const ended = keep(endSpoken(state))
  const partId = part.partId()
  const started = keep([{ type: `${part.kind}.started`, partId }])
  state.spoken = { kind: part.kind, partId, engineId: part.engineId }
  return [...ended, ...started]
}

/** A delta for a part that has been ended, since another began, begins a part of its own. */
function acceptDelta(
  state: State,
  keep: Keep,
  newId: () => string,
  event: Extract<EngineEvent, { type: 'text.delta' | 'reasoning.delta' }>,
): RunEvent[] {
  if (event.delta === '') return []
  const started = isOpen(state, event)
    ? []
    : startSpoken(state, keep, { kind: kindOf(event), partId: newId, engineId: event.partId })
  return [...started, ...keep([{ type: event.type, partId: state.spoken?.partId ?? '', delta: event.delta }])]
}

function acceptCall(
  state: State,
  keep: Keep,
  newId: () => string,
  { ids, event }: { ids: Map<string, string>; event: CallEngineEvent },
): RunEvent[] {
  const known = ids.get(event.callId)
  if (event.type === 'tool.delta') {
    if (known === undefined || state.calls.get(known) !== 'input' || event.delta === '') return []
    state.streamed.add(known)
    return keep([{ ...event, callId: known }])
  }
  if (known !== undefined && (event.type === 'tool.started' || state.calls.get(known) !== 'input')) return []
  const ended = keep(endSpoken(state))
  const callId = known ?? newId()
  ids.set(event.callId, callId)
  const isUnsaid = event.type === 'tool.called' && known !== undefined && !state.streamed.has(callId)
  const said = isUnsaid ? [inputOf(callId, event.input)] : []
  return [...ended, ...keep([...said, { ...event, callId }])]
}

/** The input of a call that has begun has been streamed when it is called: who reads along need not ask whether it was. */
function inputOf(callId: string, input: Json): RunEvent {
  return { type: 'tool.delta', callId, delta: JSON.stringify(input) }
}

function isOpen({ spoken }: State, event: PartEngineEvent): boolean {
  return spoken?.kind === kindOf(event) && spoken.engineId === event.partId
}

function kindOf(event: PartEngineEvent): Spoken['kind'] {
  return event.type.startsWith('text') ? 'text' : 'reasoning'
}

function isInput(state: OpenState): boolean {
  return state === 'input'
}
