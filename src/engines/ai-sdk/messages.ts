import type { AssistantContent, ModelMessage, ToolContent, UserContent } from 'ai'

import {
  isJsonObject,
  type AssistantMessage,
  type AssistantPart,
  type Json,
  type Message,
  type ToolPart,
  type UserPart,
} from '../../events/index.ts'

/**
 * A conversation as a model's provider wants it: each call has an outcome, outcomes follow their calls, nothing dangles. Metadata goes
 * back only to the provider it came from, and reasoning only with it.
 */
export function toModelMessages(history: readonly Message[], provider: string): ModelMessage[] {
  const callIds = uniqueCallIds()
  return history.flatMap((message, index) => {
    if (message.role === 'assistant') return assistantMessages(message, provider, callIds)
    const answer = history[index + 1]
    // A file that a provider would not take must not make it refuse all that comes after.
    const refused = answer?.role === 'assistant' && answer.status === 'failed'
    return userMessage(refused ? message.parts.map(named) : message.parts)
  })
}

function named(part: UserPart): UserPart {
  return part.type === 'text' ? part : { type: 'text', text: `[File: ${part.filename ?? part.mediaType}]` }
}

function userMessage(parts: readonly UserPart[]): ModelMessage[] {
  const said: UserContent = parts.map((part) =>
    part.type === 'text'
      ? { type: 'text', text: part.text }
      : {
          type: 'file',
          data: part.url,
          mediaType: part.mediaType,
          ...(part.filename !== undefined && { filename: part.filename }),
        },
  )
  return said.length > 0 ? [{ role: 'user', content: said }] : []
}

type CallIds = (part: ToolPart, provider: string) => string

function assistantMessages(message: AssistantMessage, provider: string, callIds: CallIds): ModelMessage[] {
  return stepsOf(message.parts).flatMap((step): ModelMessage[] => {
    const joined = step.find((part) => part.type === 'user')
    if (joined) return userMessage(joined.input)
    const calls = step.filter((part) => part.type === 'tool' && part.input !== undefined) as ToolPart[]
    const ids = new Map(calls.map((part) => [part.callId, callIds(part, provider)]))
    const said = step.flatMap((part) => content(part, provider, ids))
    // A message of thoughts alone is refused by those who sign them.
    if (said.every(({ type }) => type === 'reasoning')) return []
    const outcomes: ToolContent = calls.map((part) => ({
      type: 'tool-result',
      toolCallId: ids.get(part.callId) ?? part.callId,
      toolName: part.tool,
      output: outcomeOf(part),
    }))
    const assistant: ModelMessage = { role: 'assistant', content: said }
    return outcomes.length > 0 ? [assistant, { role: 'tool', content: outcomes }] : [assistant]
  })
}

/** What a user said in the middle stands alone. */
function stepsOf(parts: readonly AssistantPart[]): AssistantPart[][] {
  const steps: AssistantPart[][] = [[]]
  for (const part of parts) {
    if (part.type === 'step') steps.push([])
    else if (part.type === 'user') steps.push([part], [])
    else steps.at(-1)?.push(part)
  }
  return steps
}

function content(
  part: AssistantPart,
  provider: string,
  ids: ReadonlyMap<string, string>,
): Exclude<AssistantContent, string> {
  switch (part.type) {
    case 'text':
      return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text, ...metadata(part, provider) }]
    case 'reasoning': {
      const own = metadata(part, provider)
      return 'providerOptions' in own ? [{ type: 'reasoning', text: part.text, ...own }] : []
    }
    case 'tool': {
      const toolCallId = ids.get(part.callId)
      if (toolCallId === undefined) return []
      // Some APIs take only objects, whatever the model has written.
      const input = isJsonObject(part.input) ? part.input : {}
      return [{ type: 'tool-call', toolCallId, toolName: part.tool, input, ...metadata(part, provider) }]
    }
    case 'data':
    case 'step':
    case 'user':
      return []
  }
}

function outcomeOf(part: ToolPart): Extract<ToolContent[number], { type: 'tool-result' }>['output'] {
  if (part.state === 'returned') return { type: 'text', value: part.text ?? '' }
  return {
    type: 'error-text',
    value: part.failure?.message ?? 'The run ended before this call had an outcome.',
  }
}

type ProviderOptions = { providerOptions?: Record<string, Record<string, Json>> }

function metadata(part: { readonly provider?: Json }, provider: string): ProviderOptions {
  if (!isJsonObject(part.provider) || part.provider['name'] !== provider) return {}
  const own = part.provider['metadata']
  return isJsonObject(own) ? { providerOptions: own as Record<string, Record<string, Json>> } : {}
}

/** A provider knows its calls by its own ids; elsewhere, or where it gave one twice, by ours in letters that all take. */
function uniqueCallIds(): CallIds {
  const used = new Set<string>()
  return ({ callId, provider: own }, provider) => {
    const theirs = isJsonObject(own) && own['name'] === provider ? own['callId'] : undefined
    const id = typeof theirs === 'string' && !used.has(theirs) ? theirs : callId.replaceAll(/[^\w-]/g, '_')
    used.add(id)
    return id
  }
}
