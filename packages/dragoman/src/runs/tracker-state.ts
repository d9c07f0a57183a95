import {
  addUsage,
  estimateTokens,
  type Failure,
  type FinishReason,
  type Json,
  type RunEvent,
  type Usage,
} from '../events/index.ts'
import type { ToolCalls } from './tool-calls.ts'

export type OpenPart = {
  readonly kind: 'text' | 'reasoning'
  readonly partId: string
  readonly engineId?: string
}

/** What a run's log holds open, and what its steps have cost so far. */
export type TrackerState = {
  readonly runId: string
  readonly calls: ToolCalls
  /** Parts and calls so far: their ids count up. */
  count: number
  isInStep: boolean
  hasStep: boolean
  model: string | undefined
  part: OpenPart | undefined
  usage: Usage
  reason: FinishReason
  /** Tokens of the open step, by estimate. */
  outputTokens: number
}

export function note(state: TrackerState, event: RunEvent): void {
  switch (event.type) {
    case 'step.started':
      state.isInStep = true
      state.hasStep = true
      state.model = event.model
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
    case 'source':
    case 'file':
    case 'custom':
    case 'state.changed':
  }
}

export function noted(state: TrackerState, events: RunEvent[]): RunEvent[] {
  for (const event of events) note(state, event)
  return events
}

export function newId({ runId, count }: TrackerState): string {
  return `${runId}.${count + 1}`
}

export function partEnd({ part }: TrackerState, provider?: Json): RunEvent[] {
  if (!part) return []
  return [{ type: `${part.kind}.ended`, partId: part.partId, ...(provider !== undefined && { provider }) }]
}

/** Ends what is open. After a step with `tool-calls`, outcomes of the provider's own calls may still come. */
export function outputEnd(state: TrackerState, reason: FinishReason): RunEvent[] {
  if (reason === 'tool-calls') return partEnd(state)
  const unreported = state.calls.failures((call) => (call === 'provider' ? noResult : undefined))
  return [...partEnd(state), ...unreported]
}

/** How a call of the provider's own fails whose outcome has not come. */
export const noResult: Failure = {
  code: 'outcome-unknown',
  message: 'The provider of the model reported no result of this call.',
  retryable: false,
}

/** The model does not say what a step has cost that was cut off. */
export function stepEnd({ isInStep, outputTokens }: TrackerState, inputTokens: () => number): RunEvent[] {
  if (!isInStep) return []
  const usage: Usage = { inputTokens: inputTokens(), outputTokens, estimated: true }
  return [{ type: 'step.finished', reason: 'interrupted', usage }]
}

export function kindOf({ type }: { readonly type: `${'text' | 'reasoning'}.${string}` }): OpenPart['kind'] {
  return type.startsWith('text') ? 'text' : 'reasoning'
}
