import type { TextStreamPart, ToolSet } from 'ai'

import { estimateTokens, type FinishReason, type Json, type Usage } from '../../events/index.ts'
import type { EngineCall, EngineEvent } from '../engine.ts'

/** What one part of the model's stream means to us: events for the log, a call to run, an end. */
export type Heard =
  | { readonly kind: 'event'; readonly event: EngineEvent }
  | { readonly kind: 'call'; readonly event: EngineEvent; readonly call: EngineCall }
  | { readonly kind: 'finish'; readonly reason: FinishReason; readonly usage: Usage }
  | { readonly kind: 'error'; readonly error: unknown }
  | { readonly kind: 'aborted' | 'nothing' }

type Part = TextStreamPart<ToolSet>
type ToolInputPart = Extract<Part, { type: 'tool-input-start' | 'tool-input-delta' | 'tool-call' }>

/**
 * Hears one step. `provider` is whose metadata it is; `inputTokens` counts what was sent, for a provider that does not say. Call ids are
 * made unique in the run: some providers begin anew with each step, or give two calls one id. Outcomes are the host's.
 */
export function translator(
  step: number,
  provider: () => string,
  inputTokens: () => number,
): (part: Part) => Heard {
  const hearCall = callTranslator(step, provider)
  const metadata = newestMetadata()
  let said = 0

  return (part) => {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
        metadata.keep(part)
        return event({
          type: part.type === 'text-start' ? 'text.started' : 'reasoning.started',
          partId: part.id,
        })
      case 'text-delta':
      case 'reasoning-delta':
        said += estimateTokens(part.text)
        metadata.keep(part)
        return event({ type: deltaOf(part.type), partId: part.id, delta: part.text })
      case 'text-end':
      case 'reasoning-end':
        return event({
          type: part.type === 'text-end' ? 'text.ended' : 'reasoning.ended',
          partId: part.id,
          ...own(provider(), metadata.of(part)),
        })
      case 'tool-input-delta':
      case 'tool-input-start':
      case 'tool-call':
        if (part.type === 'tool-input-delta') said += estimateTokens(part.delta)
        return hearCall(part)
      case 'finish-step':
        return endOf(part, inputTokens, said)
      case 'error':
        return { kind: 'error', error: part.error }
      case 'tool-result':
      case 'tool-error':
      case 'tool-output-denied':
      case 'tool-approval-request':
      case 'tool-approval-response':
      case 'tool-input-end':
      case 'start':
      case 'start-step':
      case 'finish':
      case 'custom':
      case 'source':
      case 'file':
      case 'reasoning-file':
      case 'steering-message':
      case 'ping':
      case 'raw':
      case 'abort':
        return { kind: part.type === 'abort' ? 'aborted' : 'nothing' }
    }
  }
}

type SpokenPart = { readonly id: string; readonly providerMetadata?: unknown }

/** Some providers tell a part's own (Claude its signature) with a delta or at its start: the newest counts at its end. */
function newestMetadata() {
  const kept = new Map<string, unknown>()
  const keep = ({ id, providerMetadata }: SpokenPart): void => {
    if (providerMetadata !== undefined) kept.set(id, providerMetadata)
  }
  return {
    keep,
    of(part: SpokenPart): unknown {
      keep(part)
      const newest = kept.get(part.id)
      kept.delete(part.id)
      return newest
    },
  }
}

/** Knows the calls of a step by their provider's ids: one that comes again after it was complete is another call. */
function callTranslator(step: number, provider: () => string): (part: ToolInputPart) => Heard {
  const calls = new Map<string, { id: string; complete: boolean; count: number }>()
  const open = (providerId: string): string => {
    const known = calls.get(providerId)
    if (known && !known.complete) return known.id
    const count = (known?.count ?? 0) + 1
    const id = count === 1 ? `${step}:${providerId}` : `${step}:${providerId}:${count}`
    calls.set(providerId, { id, complete: false, count })
    return id
  }
  const complete = (providerId: string): void => {
    const known = calls.get(providerId)
    if (known) known.complete = true
  }

  return (part) => {
    if (part.type === 'tool-input-start')
      return event({ type: 'tool.started', callId: open(part.id), tool: part.toolName })
    if (part.type === 'tool-input-delta')
      return event({ type: 'tool.delta', callId: open(part.id), delta: part.delta })

    const { toolCallId, toolName: tool, invalid, providerMetadata } = part
    const callId = open(toolCallId)
    complete(toolCallId)
    const input = part.input as Json
    // Of an invalid call whose input could be parsed we get the value, of another its text.
    const unreadable = invalid === true && typeof input === 'string'
    return {
      kind: 'call',
      event: { type: 'tool.called', callId, tool, input, ...own(provider(), providerMetadata, toolCallId) },
      call: { callId, tool, input: unreadable ? { unreadable: input } : input },
    }
  }
}

function deltaOf(type: 'text-delta' | 'reasoning-delta'): 'text.delta' | 'reasoning.delta' {
  return type === 'text-delta' ? 'text.delta' : 'reasoning.delta'
}

function event(one: EngineEvent): Heard {
  return { kind: 'event', event: one }
}

/** What is the provider's own goes through the log and back to it. */
function own(name: string, metadata: unknown, callId?: string): { provider?: Json } {
  if (metadata === undefined && callId === undefined) return {}
  const provider = {
    name,
    ...(callId !== undefined && { callId }),
    ...(metadata !== undefined && { metadata }),
  }
  return { provider: provider as Json }
}

type FinishStep = Extract<Part, { type: 'finish-step' }>

function endOf(part: FinishStep, inputTokens: () => number, said: number): Heard {
  const { finishReason, rawFinishReason, usage } = part
  // What the SDK makes of a stream that ends without a word of its end.
  if (finishReason === 'other' && rawFinishReason === undefined) {
    return { kind: 'error', error: new Error('The stream broke off.') }
  }
  return { kind: 'finish', reason: reasonOf(finishReason), usage: usageOf(usage, inputTokens, said) }
}

function reasonOf(reason: string): FinishReason {
  switch (reason) {
    case 'stop':
    case 'length':
    case 'tool-calls':
    case 'content-filter':
      return reason
    default:
      return 'other'
  }
}

function usageOf(usage: FinishStep['usage'], inputTokens: () => number, said: number): Usage {
  const { inputTokens: input, outputTokens: output } = usage
  if (input === undefined && output === undefined) {
    return { inputTokens: inputTokens(), outputTokens: said, estimated: true }
  }
  const reasoning = usage.outputTokenDetails.reasoningTokens
  const cached = usage.inputTokenDetails.cacheReadTokens
  return {
    inputTokens: input ?? 0,
    outputTokens: output ?? 0,
    ...(reasoning && { reasoningTokens: reasoning }),
    ...(cached && { cachedInputTokens: cached }),
  }
}
