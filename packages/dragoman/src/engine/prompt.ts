import type { LanguageModelV4Message, LanguageModelV4ToolResultPart } from '@ai-sdk/provider'

import {
  CUT_OFF_NOTICE,
  isJsonObject,
  type AssistantMessage,
  type AssistantPart,
  type FileEvent,
  type Json,
  type Message,
  type ToolPart,
  type UserPart,
} from '../events/index.ts'
import { fileData, toFilePart, toToolOutput, withoutFile } from './prompt-files.ts'
import { promptName } from './prompt-name.ts'
import { isOfProvider, lacksOutcome, providerResult } from './provider-calls.ts'
import { metadataOptions, readProviderField } from './provider-metadata.ts'

/** A message to a model. The system prompt is separate, because each engine places it itself. */
export type PromptMessage = Exclude<LanguageModelV4Message, { role: 'system' }>
/** A longer input that its tool's schema refused is not sent to the model again. */
const MAX_REFUSED_INPUT_CHARACTERS = 20_000

type ToolOutput = LanguageModelV4ToolResultPart['output']
type Content<Role> = Extract<PromptMessage, { role: Role }>['content']

/**
 * Converts a conversation to the prompt of a provider. Each call has an outcome, and outcomes follow their
 * calls. Metadata goes back only to the provider that it came from, and reasoning only with its metadata. If the
 * conversation ends in an interrupted answer, the prompt asks the model to continue: some models refuse a
 * trailing assistant message. `note` replaces that request. If the model goes on with its calls (`goesOn`), those
 * of its provider may still be open.
 */
export function toPrompt(
  history: readonly Message[],
  provider: string,
  { note, goesOn = false }: { readonly note?: string | undefined; readonly goesOn?: boolean } = {},
): PromptMessage[] {
  const prompt = messagesOf(history, provider, goesOn && note === undefined)
  const notice = prompt.at(-1)?.role === 'assistant' && !goesOn ? CUT_OFF_NOTICE : undefined
  const last = note ?? notice
  if (last === undefined) return prompt
  return [...prompt, { role: 'user', content: [{ type: 'text', text: last }] }]
}

function messagesOf(history: readonly Message[], provider: string, goesOn: boolean): PromptMessage[] {
  const callIds = uniqueCallIds()
  return history.flatMap((message, index) => {
    if (message.role === 'assistant') {
      const isLast = index === history.length - 1
      return assistantMessages(message, { provider, callIds, goesOn: goesOn && isLast })
    }
    const answer = history[index + 1]
    // A file that a provider would not take must not make it refuse all that comes after.
    const isRefused = answer?.role === 'assistant' && answer.status === 'failed'
    return userMessage(isRefused ? message.parts.map(withoutFile) : message.parts)
  })
}

function userMessage(parts: readonly UserPart[]): PromptMessage[] {
  // Providers refuse a blank text, also with a file.
  const contentParts = parts.flatMap((part): Content<'user'> => {
    if (part.type === 'file') return [toFilePart(part)]
    return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text }]
  })
  return contentParts.length > 0 ? [{ role: 'user', content: contentParts }] : []
}

type CallIds = (part: ToolPart, provider: string) => string

type Reading = { readonly provider: string; readonly callIds: CallIds; readonly goesOn: boolean }

function assistantMessages(
  message: AssistantMessage,
  { provider, callIds, goesOn }: Reading,
): PromptMessage[] {
  const steps = stepsOf(message.parts)
  const open = goesOn ? steps.findLastIndex(([first]) => first?.type === 'user') + 1 : steps.length
  return steps.flatMap((parts, index): PromptMessage[] => {
    const userParts = parts.find((part) => part.type === 'user')
    if (userParts) return userMessage(userParts.input)
    const step = parts.filter((part) => !lacksOutcome(part, provider, index >= open))
    const calls = step.filter((part) => part.type === 'tool' && part.input !== undefined) as ToolPart[]
    const ids = new Map(calls.map((part) => [part.callId, callIds(part, provider)]))
    const contentParts = step.flatMap((part) => toContent(part, provider, ids))
    // Providers that sign reasoning refuse a message that contains nothing else.
    if (contentParts.every(({ type }) => type === 'reasoning')) return []
    const outcomes: Content<'tool'> = calls
      .filter((part) => !isOfProvider(part, provider))
      .map((part) => ({
        type: 'tool-result',
        toolCallId: ids.get(part.callId) ?? part.callId,
        toolName: promptName(part.tool),
        output: outcomeOf(part, message),
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
    case 'text': {
      const own = metadataOptions(part, provider)
      const isBlank = part.text.trim() === '' && !isSigned(own)
      return isBlank ? [] : [{ type: 'text', text: part.text, ...own }]
    }
    case 'reasoning': {
      const own = metadataOptions(part, provider)
      return 'providerOptions' in own ? [{ type: 'reasoning', text: part.text, ...own }] : []
    }
    case 'tool': {
      const toolCallId = ids.get(part.callId)
      if (toolCallId === undefined) return []
      const input = promptInput(part)
      const call = { type: 'tool-call', toolCallId, toolName: promptName(part.tool), input } as const
      const own = metadataOptions(part, provider)
      if (!isOfProvider(part, provider)) return [{ ...call, ...own }]
      return [{ ...call, ...own, providerExecuted: true }, ...providerResult(part, toolCallId, provider)]
    }
    case 'custom': {
      const own = metadataOptions(part, provider)
      return 'providerOptions' in own
        ? [{ type: 'custom', kind: part.kind as `${string}.${string}`, ...own }]
        : []
    }
    case 'file':
      return toFileContent(part, provider)
    // The model's text says what it took from its sources.
    case 'source':
    case 'data':
    case 'step':
    case 'user':
      return []
  }
}

/** Gemini may sign an answer in a text without words at its end. */
function isSigned({ providerOptions = {} }: ReturnType<typeof metadataOptions>): boolean {
  return Object.values(providerOptions).some((fields) => isJsonObject(fields) && 'thoughtSignature' in fields)
}

/** A file goes back to the provider of the model that made it, as the others take none of an assistant. */
function toFileContent(
  part: Extract<AssistantPart, { type: 'file' }>,
  provider: string,
): Content<'assistant'> {
  const { kind, mediaType, url } = part
  const own = metadataOptions(part, provider)
  if (!('name' in readProviderField(part, provider))) return []
  const file = { data: fileData(url), mediaType, ...own }
  return [kind === 'output' ? { type: 'file', ...file } : { type: 'reasoning-file', ...file }]
}

/** The input of a call. Some APIs take only objects, whatever the model has written. */
function promptInput({ input = null, failure }: ToolPart): Json {
  if (!isJsonObject(input)) return {}
  // The mistakes in it are in the outcome. The rest would only cost tokens in each step that follows.
  const length = failure?.code === 'invalid-input' ? JSON.stringify(input).length : 0
  if (length <= MAX_REFUSED_INPUT_CHARACTERS) return input
  return { leftOut: `This input of ${length} characters was refused, and is left out here.` }
}

/** Files that may have been why a provider refused the answer must not make it refuse all that comes after. */
function outcomeOf(part: ToolPart, { parts, status }: AssistantMessage): ToolOutput {
  const all = parts.filter((each) => each.type === 'file' && each.callId === part.callId) as FileEvent[]
  const files = status === 'failed' ? [] : all
  if (part.state === 'returned') return toToolOutput(part.text ?? '', files)
  const failure = failureOf(part)
  return files.length === 0 ? failure : toToolOutput(failure.value, files)
}

function failureOf(part: ToolPart): Extract<ToolOutput, { type: 'error-text' }> {
  return {
    type: 'error-text',
    value: part.failure?.message ?? 'The run ended before this call had an outcome.',
  }
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
