import type { LanguageModelV4Message } from '@ai-sdk/provider'

import type { EngineEvent } from '../agents/index.ts'
import type { AssistantPart, Json, ToolPart } from '../events/index.ts'
import { promptName } from './prompt-name.ts'
import { readProviderField, toProviderOptions } from './provider-metadata.ts'

type AssistantContent = Extract<LanguageModelV4Message, { role: 'assistant' }>['content']

export type ProviderOutcome = { readonly result: Json; readonly isError: boolean; readonly metadata: unknown }

/** The code of a failure that a tool reported. */
const OF_TOOL = 'tool-failed'

/** The call of a step before, whose outcome comes only now. */
export function openProviderCall(
  parts: readonly AssistantPart[],
  id: string,
  provider: string,
): string | undefined {
  const call = parts.findLast(
    (part) =>
      part.type === 'tool' &&
      part.by === 'provider' &&
      part.state === 'called' &&
      readProviderField(part, provider)['callId'] === id,
  )
  return call?.type === 'tool' ? call.callId : undefined
}

/** Whether an answer ends in a whole step with calls of the provider's own that have no outcome yet. */
export function awaitsProvider(parts: readonly AssistantPart[]): boolean {
  const step = parts.slice(parts.findLastIndex(({ type }) => type === 'step') + 1)
  return step.some((part) => part.type === 'tool' && part.by === 'provider' && part.state === 'called')
}

/** The provider reads its own result again, so the log holds it as it came. */
export function toOutcome(
  callId: string,
  provider: string,
  { result, isError, metadata }: ProviderOutcome,
): EngineEvent {
  const text = typeof result === 'string' ? result : JSON.stringify(result)
  const own = {
    provider: { name: provider, ...(metadata !== undefined && { resultMetadata: metadata as Json }) },
    by: 'provider',
  } as const
  if (!isError) return { type: 'tool.returned', callId, output: result, text, ...own }
  const failure = { code: OF_TOOL, message: text, retryable: false }
  return { type: 'tool.failed', callId, failure, ...own }
}

/** Whether the provider itself ran the call. To other providers it is a call like any other. */
export function isOfProvider(part: ToolPart, provider: string): boolean {
  return part.by === 'provider' && 'name' in readProviderField(part, provider)
}

/**
 * Whether it is a call of the provider's own without an outcome, which the provider refuses. While the model goes on,
 * a call `mayBeOpen`: its provider has paused, or waits for calls of this server.
 */
export function lacksOutcome(part: AssistantPart, provider: string, mayBeOpen: boolean): boolean {
  if (part.type !== 'tool' || !isOfProvider(part, provider) || hasOutcome(part)) return false
  return !mayBeOpen || part.state !== 'called'
}

function hasOutcome({ state, failure }: ToolPart): boolean {
  return state === 'returned' || failure?.code === OF_TOOL
}

/** The provider gets its own outcome as it came, within its message. */
export function providerResult(part: ToolPart, toolCallId: string, provider: string): AssistantContent {
  if (!hasOutcome(part)) return []
  const metadata = readProviderField(part, provider)['resultMetadata']
  return [
    {
      type: 'tool-result',
      toolCallId,
      toolName: promptName(part.tool),
      output:
        part.state === 'returned'
          ? { type: 'json', value: part.output ?? null }
          : { type: 'error-json', value: readJson(part.failure?.message ?? '') },
      ...toProviderOptions(metadata),
    },
  ]
}

function readJson(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}
