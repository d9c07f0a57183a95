import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider'

import {
  CUT_OFF_NOTICE,
  isJsonObject,
  type AssistantMessage,
  type AssistantPart,
  type Json,
  type Message,
  type ToolPart,
  type UserPart,
} from '../events/index.ts'
import { readProviderField } from './provider-metadata.ts'

/** A message to a model. The system prompt is separate, because each engine places it itself. */
export type PromptMessage = Exclude<LanguageModelV4Message, { role: 'system' }>
/** A longer input that its tool's schema refused is not sent to the model again. */
const MAX_REFUSED_INPUT_CHARACTERS = 20_000

type Content<Role> = Extract<PromptMessage, { role: Role }>['content']

/**
 * Converts a conversation to the prompt of a provider. Each call has an outcome, and outcomes follow their
 * calls. Metadata goes back only to the provider that it came from, and reasoning only with its metadata. If the
 * conversation ends in an interrupted answer, the prompt asks the model to continue: some models refuse a
 * trailing assistant message. `note` replaces that request.
 */
export function toPrompt(history: readonly Message[], provider: string, note?: string): PromptMessage[] {
  const prompt = messagesOf(history, provider)
  const last = note ?? (prompt.at(-1)?.role === 'assistant' ? CUT_OFF_NOTICE : undefined)
  if (last === undefined) return prompt
  return [...prompt, { role: 'user', content: [{ type: 'text', text: last }] }]
}

function messagesOf(history: readonly Message[], provider: string): PromptMessage[] {
  const callIds = uniqueCallIds()
  return history.flatMap((message, index) => {
    if (message.role === 'assistant') return assistantMessages(message, provider, callIds)
    const answer = history[index + 1]
    // A file that a provider would not take must not make it refuse all that comes after.
    const isRefused = answer?.role === 'assistant' && answer.status === 'failed'
    return userMessage(isRefused ? message.parts.map(replaceFile) : message.parts)
  })
}

function replaceFile(part: UserPart): UserPart {
  return part.type === 'text' ? part : { type: 'text', text: `[File: ${part.filename ?? part.mediaType}]` }
}

function userMessage(parts: readonly UserPart[]): PromptMessage[] {
  // Providers refuse a blank text, also with a file.
  const contentParts = parts.flatMap((part): Content<'user'> => {
    if (part.type === 'file') return [filePart(part)]
    return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text }]
  })
  return contentParts.length > 0 ? [{ role: 'user', content: contentParts }] : []
}

function filePart({
  url,
  mediaType,
  filename,
}: Extract<UserPart, { type: 'file' }>): LanguageModelV4FilePart {
  const data = url.slice(url.indexOf(',') + 1)
  const declaredType = /^data:([^;,]+)/.exec(url)?.[1] ?? mediaType
  return {
    type: 'file',
    data: { type: 'data', data },
    mediaType: IMAGES.find(([pattern]) => pattern.test(data))?.[1] ?? declaredType,
    ...(filename !== undefined && { filename }),
  }
}

/**
 * The first characters of images in base64. Browsers derive the type from a file's name, and providers refuse an
 * image of another type.
 */
const IMAGES = [
  [/^iVBORw0KGgo/, 'image/png'],
  [/^\/9j\//, 'image/jpeg'],
  [/^R0lGOD/, 'image/gif'],
  [/^UklGR.{6}XRUJQ/, 'image/webp'],
] as const

type CallIds = (part: ToolPart, provider: string) => string

function assistantMessages(message: AssistantMessage, provider: string, callIds: CallIds): PromptMessage[] {
  return stepsOf(message.parts).flatMap((step): PromptMessage[] => {
    const userParts = step.find((part) => part.type === 'user')
    if (userParts) return userMessage(userParts.input)
    const calls = step.filter((part) => part.type === 'tool' && part.input !== undefined) as ToolPart[]
    const ids = new Map(calls.map((part) => [part.callId, callIds(part, provider)]))
    const contentParts = step.flatMap((part) => toContent(part, provider, ids))
    // Providers that sign reasoning refuse a message that contains nothing else.
    if (contentParts.every(({ type }) => type === 'reasoning')) return []
    const outcomes: Content<'tool'> = calls.map((part) => ({
      type: 'tool-result',
      toolCallId: ids.get(part.callId) ?? part.callId,
      toolName: part.tool,
      output: outcomeOf(part),
    }))
    const assistant: PromptMessage = { role: 'assistant', content: contentParts }
    return outcomes.length > 0 ? [assistant, { role: 'tool', content: outcomes }] : [assistant]
  })
}

/** A user message within a step follows that step, because a provider accepts signed content only unchanged. */
function stepsOf(parts: readonly AssistantPart[]): AssistantPart[][] {
  const steps: AssistantPart[][] = [[]]
  let userParts: AssistantPart[][] = []
  for (const part of parts) {
    if (part.type === 'user') userParts.push([part])
    else if (part.type === 'step') {
      steps.push(...userParts, [])
      userParts = []
    } else steps.at(-1)?.push(part)
  }
  return [...steps, ...userParts]
}

function toContent(
  part: AssistantPart,
  provider: string,
  ids: ReadonlyMap<string, string>,
): Content<'assistant'> {
  switch (part.type) {
    case 'text':
      return part.text.trim() === ''
        ? []
        : [{ type: 'text', text: part.text, ...metadataOptions(part, provider) }]
    case 'reasoning': {
      const own = metadataOptions(part, provider)
      return 'providerOptions' in own ? [{ type: 'reasoning', text: part.text, ...own }] : []
    }
    case 'tool': {
      const toolCallId = ids.get(part.callId)
      if (toolCallId === undefined) return []
      const input = promptInput(part)
      return [
        { type: 'tool-call', toolCallId, toolName: part.tool, input, ...metadataOptions(part, provider) },
      ]
    }
    case 'data':
    case 'step':
    case 'user':
      return []
  }
}

/** The input of a call. Some APIs take only objects, whatever the model has written. */
function promptInput({ input = null, failure }: ToolPart): Json {
  if (!isJsonObject(input)) return {}
  // The mistakes in it are in the outcome. The rest would only cost tokens in each step that follows.
  const length = failure?.code === 'invalid-input' ? JSON.stringify(input).length : 0
  if (length <= MAX_REFUSED_INPUT_CHARACTERS) return input
  return { leftOut: `This input of ${length} characters was refused, and is left out here.` }
}

function outcomeOf(part: ToolPart): LanguageModelV4ToolResultPart['output'] {
  if (part.state === 'returned') return { type: 'text', value: part.text ?? '' }
  return {
    type: 'error-text',
    value: part.failure?.message ?? 'The run ended before this call had an outcome.',
  }
}

type ProviderOptions = { providerOptions?: Record<string, Record<string, Json>> }

function metadataOptions(part: { readonly provider?: Json }, provider: string): ProviderOptions {
  const own = readProviderField(part, provider)['metadata']
  return isJsonObject(own) ? { providerOptions: own as Record<string, Record<string, Json>> } : {}
}

/**
 * A provider knows its calls by its own ids. For other providers and repeated ids, our id is used, in characters
 * that all accept.
 */
function uniqueCallIds(): CallIds {
  const used = new Set<string>()
  return (part, provider) => {
    const providerId = readProviderField(part, provider)['callId']
    let id =
      typeof providerId === 'string' && !used.has(providerId)
        ? providerId
        : part.callId.replaceAll(/[^\w-]/g, '_')
    while (used.has(id)) id += '_'
    used.add(id)
    return id
  }
}
