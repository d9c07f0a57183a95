import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider'

import {
  CUT_OFF,
  isJsonObject,
  type AssistantMessage,
  type AssistantPart,
  type Json,
  type Message,
  type ToolPart,
  type UserPart,
} from '../events/index.ts'
import { ownOf } from './provider-metadata.ts'

/** All that is said to a model but the system's words, which each engine puts where they belong. */
export type PromptMessage = Exclude<LanguageModelV4Message, { role: 'system' }>
type Content<Role> = Extract<PromptMessage, { role: Role }>['content']

/**
 * A conversation as a model's provider wants it: each call has an outcome, outcomes follow their calls, nothing dangles. Metadata goes
 * back only to the provider it came from, and reasoning only with it. Where it ends in an answer that was cut off, the model is asked to
 * go on: some refuse to be the last who spoke. `note` is told in place of that.
 */
export function toPrompt(history: readonly Message[], provider: string, note?: string): PromptMessage[] {
  const prompt = messagesOf(history, provider)
  const last = note ?? (prompt.at(-1)?.role === 'assistant' ? CUT_OFF : undefined)
  if (last === undefined) return prompt
  return [...prompt, { role: 'user', content: [{ type: 'text', text: last }] }]
}

function messagesOf(history: readonly Message[], provider: string): PromptMessage[] {
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

function userMessage(parts: readonly UserPart[]): PromptMessage[] {
  const said: Content<'user'> = parts.map((part) =>
    part.type === 'text' ? { type: 'text', text: part.text } : filePart(part),
  )
  return said.length > 0 ? [{ role: 'user', content: said }] : []
}

function filePart({
  url,
  mediaType,
  filename,
}: Extract<UserPart, { type: 'file' }>): LanguageModelV4FilePart {
  const data = url.slice(url.indexOf(',') + 1)
  const claimed = /^data:([^;,]+)/.exec(url)?.[1] ?? mediaType
  return {
    type: 'file',
    data: { type: 'data', data },
    mediaType: IMAGES.find(([begins]) => begins.test(data))?.[1] ?? claimed,
    ...(filename !== undefined && { filename }),
  }
}

/** How images begin in base64. Browsers go by a file's name, and providers refuse an image that is not what it is called. */
const IMAGES = [
  [/^iVBORw0KGgo/, 'image/png'],
  [/^\/9j\//, 'image/jpeg'],
  [/^R0lGOD/, 'image/gif'],
  [/^UklGR.{6}XRUJQ/, 'image/webp'],
] as const

type CallIds = (part: ToolPart, provider: string) => string

function assistantMessages(message: AssistantMessage, provider: string, callIds: CallIds): PromptMessage[] {
  return stepsOf(message.parts).flatMap((step): PromptMessage[] => {
    const joined = step.find((part) => part.type === 'user')
    if (joined) return userMessage(joined.input)
    const calls = step.filter((part) => part.type === 'tool' && part.input !== undefined) as ToolPart[]
    const ids = new Map(calls.map((part) => [part.callId, callIds(part, provider)]))
    const said = step.flatMap((part) => content(part, provider, ids))
    // A message of thoughts alone is refused by those who sign them.
    if (said.every(({ type }) => type === 'reasoning')) return []
    const outcomes: Content<'tool'> = calls.map((part) => ({
      type: 'tool-result',
      toolCallId: ids.get(part.callId) ?? part.callId,
      toolName: part.tool,
      output: outcomeOf(part),
    }))
    const assistant: PromptMessage = { role: 'assistant', content: said }
    return outcomes.length > 0 ? [assistant, { role: 'tool', content: outcomes }] : [assistant]
  })
}

/** What a user said in the middle of a step stands alone, after it: a provider takes what it has signed only as it was. */
function stepsOf(parts: readonly AssistantPart[]): AssistantPart[][] {
  const steps: AssistantPart[][] = [[]]
  let joined: AssistantPart[][] = []
  for (const part of parts) {
    if (part.type === 'user') joined.push([part])
    else if (part.type === 'step') {
      steps.push(...joined, [])
      joined = []
    } else steps.at(-1)?.push(part)
  }
  return [...steps, ...joined]
}

function content(
  part: AssistantPart,
  provider: string,
  ids: ReadonlyMap<string, string>,
): Content<'assistant'> {
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

function outcomeOf(part: ToolPart): LanguageModelV4ToolResultPart['output'] {
  if (part.state === 'returned') return { type: 'text', value: part.text ?? '' }
  return {
    type: 'error-text',
    value: part.failure?.message ?? 'The run ended before this call had an outcome.',
  }
}

type ProviderOptions = { providerOptions?: Record<string, Record<string, Json>> }

function metadata(part: { readonly provider?: Json }, provider: string): ProviderOptions {
  const own = ownOf(part, provider)['metadata']
  return isJsonObject(own) ? { providerOptions: own as Record<string, Record<string, Json>> } : {}
}

/** A provider knows its calls by its own ids; elsewhere, or where it gave one twice, by ours in letters that all take. */
function uniqueCallIds(): CallIds {
  const used = new Set<string>()
  return (part, provider) => {
    const theirs = ownOf(part, provider)['callId']
    let id = typeof theirs === 'string' && !used.has(theirs) ? theirs : part.callId.replaceAll(/[^\w-]/g, '_')
    while (used.has(id)) id += '_'
    used.add(id)
    return id
  }
}
