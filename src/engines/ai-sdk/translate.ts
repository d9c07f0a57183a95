import type { TextStreamPart, ToolSet } from 'ai'

import type { EngineCall, EngineEvent } from '../engine.ts'
import { estimateTokens, type FinishReason, type Json, type Usage } from '../../events/index.ts'

/** What one part of the model's stream means to us: events for the log, a call to run, an end. */
export type Heard =
  | { readonly kind: 'events'; readonly events: readonly EngineEvent[] }
  | { readonly kind: 'call'; readonly event: EngineEvent; readonly call: EngineCall }
  | { readonly kind: 'finish'; readonly reason: FinishReason; readonly usage: Usage }
  | { readonly kind: 'error'; readonly error: unknown }
  | { readonly kind: 'aborted' }

const nothing: Heard = { kind: 'events', events: [] }

/**
 * Hears one step. `provider` is whose metadata it is; `inputTokens` counts what was sent, for a provider that does not say. Call ids are
 * made unique in the run: some providers begin anew with each step, or give two calls one id.
 */
export function translator(
  step: number,
  provider: string,
  inputTokens: () => number,
): (part: TextStreamPart<ToolSet>) => Heard {
  const calls = new Map<string, { id: string; called: boolean; count: number }>()
  let said = 0

  const open = (providerId: string): string => {
    const before = calls.get(providerId)
    const count = (before?.count ?? 0) + 1
    const id = count === 1 ? `${step}:${providerId}` : `${step}:${providerId}:${count}`
    calls.set(providerId, { id, called: false, count })
    return id
  }
  const idOf = (providerId: string): string => {
    const known = calls.get(providerId)
    return known && !known.called ? known.id : open(providerId)
  }
  const own = (metadata: unknown, callId?: string): { provider?: Json } => {
    if (metadata === undefined && callId === undefined) return {}
    return {
      provider: {
        name: provider,
        ...(callId !== undefined && { callId }),
        ...(metadata !== undefined && { metadata }),
      } as Json,
    }
  }

  return (part) => {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
        return events({
          type: part.type === 'text-start' ? 'text.started' : 'reasoning.started',
          partId: part.id,
        })
      case 'text-delta':
      case 'reasoning-delta':
        said += estimateTokens(part.text)
        return events({
          type: part.type === 'text-delta' ? 'text.delta' : 'reasoning.delta',
          partId: part.id,
          delta: part.text,
        })
      case 'text-end':
        return events({ type: 'text.ended', partId: part.id, ...own(part.providerMetadata) })
      case 'reasoning-end':
        return events({ type: 'reasoning.ended', partId: part.id, ...own(part.providerMetadata) })
      case 'tool-input-start':
        return events({ type: 'tool.started', callId: open(part.id), tool: part.toolName })
      case 'tool-input-delta':
        said += estimateTokens(part.delta)
        return events({ type: 'tool.delta', callId: calls.get(part.id)?.id ?? part.id, delta: part.delta })
      case 'tool-call': {
        const callId = idOf(part.toolCallId)
        calls.set(part.toolCallId, {
          id: callId,
          called: true,
          count: calls.get(part.toolCallId)?.count ?? 1,
        })
        const unreadable = part.invalid === true && typeof part.input === 'string'
        const input = part.input as Json
        const event: EngineEvent = {
          type: 'tool.called',
          callId,
          tool: part.toolName,
          input,
          ...own(part.providerMetadata, part.toolCallId),
        }
        return {
          kind: 'call',
          event,
          call: { callId, tool: part.toolName, input: unreadable ? { unreadable: String(input) } : input },
        }
      }
      case 'finish-step':
        return {
          kind: 'finish',
          reason: reasonOf(part.finishReason),
          usage: usageOf(part.usage, inputTokens, said),
        }
      case 'error':
        return { kind: 'error', error: part.error }
      case 'abort':
        return { kind: 'aborted' }
      // Outcomes are the host's; the rest has no word in the log yet.
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
        return nothing
    }
  }
}

function events(...all: EngineEvent[]): Heard {
  return { kind: 'events', events: all }
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

type SdkUsage = Extract<TextStreamPart<ToolSet>, { type: 'finish-step' }>['usage']

function usageOf(usage: SdkUsage, inputTokens: () => number, said: number): Usage {
  const { inputTokens: input, outputTokens: output } = usage
  if (input === undefined && output === undefined)
    return { inputTokens: inputTokens(), outputTokens: said, estimated: true }
  const reasoning = usage.outputTokenDetails.reasoningTokens
  const cached = usage.inputTokenDetails.cacheReadTokens
  return {
    inputTokens: input ?? 0,
    outputTokens: output ?? 0,
    ...(reasoning && { reasoningTokens: reasoning }),
    ...(cached && { cachedInputTokens: cached }),
  }
}
