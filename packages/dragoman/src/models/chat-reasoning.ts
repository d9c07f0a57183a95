import type {
  LanguageModelV4Message,
  LanguageModelV4StreamPart,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider'

import { isJsonObject, type Json } from '../events/index.ts'
import { createChatExtras } from './chat-extras.ts'

type Part = LanguageModelV4StreamPart
type Read = { readonly value?: Part | undefined }
type AssistantPart = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'][number]
type JsonObject = { readonly [key: string]: Json }

/** The key of metadata in the package for chat completions. */
const NAMESPACE = 'openai'
/** What is under this key, the package adds to the message or the call as it is. */
const PACKAGE = 'openaiCompatible'
/** Fields whose items go back as they came. OpenRouter has the first, LiteLLM the others. */
const LISTS = ['reasoning_details', 'thinking_blocks', 'thought_signatures'] as const
/** Where LiteLLM has them, too. */
const FIELDS = 'provider_specific_fields'
/** A field with reasoning that only its provider can read. */
const OPAQUE = 'reasoning_opaque'
const THOUGHTS = ['reasoning_details', 'thinking_blocks', OPAQUE] as const
/** The field of a call with its name and arguments. */
const FUNCTION = 'function'
/** Fields of an item that arrive in pieces. */
const TEXTS = ['text', 'summary', 'thinking'] as const

type Lists = { [list in (typeof LISTS)[number]]?: Json[] }
type MessageFields = Lists & { [OPAQUE]?: string; [FIELDS]?: Lists }

/**
 * Keeps what a provider of chat completions needs back, as metadata of the parts: whether the reasoning came as
 * `reasoning_content` or as `reasoning`, the lists that belong to the calls, and what else a call has. Pictures and
 * sources become parts. The package has no place for them, so the request asks for raw chunks. They end here.
 */
export function keepReasoning(read: () => Promise<Read>): () => Promise<Read> {
  const lists: MessageFields = {}
  const calls = createCallFields()
  const extrasOf = createChatExtras()
  const extras: Part[] = []
  let isContent = false
  let isReasoning = false
  let hasCall = false
  const take = (raw: unknown): void => {
    const [choice] = isJsonObject(raw) && Array.isArray(raw['choices']) ? (raw['choices'] as Json[]) : []
    const delta = isJsonObject(choice) ? choice['delta'] : undefined
    if (!isJsonObject(delta)) return
    isContent ||= textOf(delta['reasoning_content']) !== ''
    isReasoning ||= textOf(delta['reasoning']) !== ''
    const opaque = textOf(delta[OPAQUE])
    if (opaque !== '') lists[OPAQUE] = textOf(lists[OPAQUE]) + opaque
    calls.take(delta['tool_calls'])
    takeLists(lists, delta)
    const fields = delta[FIELDS]
    if (!isJsonObject(fields)) return
    const own = takeLists(lists[FIELDS] ?? {}, fields)
    if (Object.keys(own).length > 0) lists[FIELDS] = own
  }
  return async () => {
    for (;;) {
      const extra = extras.shift()
      if (extra) return { value: extra }
      const result = await read()
      const { value: part } = result
      if (part?.type === 'raw') {
        take(part.rawValue)
        if (isJsonObject(part.rawValue)) extras.push(...extrasOf(part.rawValue))
        continue
      }
      if (part?.type === 'reasoning-end') {
        if (isContent) return { value: addMetadata(part, { isContent }) }
        return isReasoning ? { value: addMetadata(part, { isReasoning }) } : result
      }
      if (part?.type !== 'tool-call') return result
      const isSigned = part.providerMetadata?.[NAMESPACE]?.['thoughtSignature'] !== undefined
      const call = calls.of(part.toolCallId, isSigned)
      const own = {
        ...(call && { call }),
        ...(!hasCall && Object.keys(lists).length > 0 && { lists }),
      }
      hasCall = true
      return Object.keys(own).length > 0 ? { value: addMetadata(part, own) } : result
    }
  }
}

/** The fields of calls that the package does not know, by the ids of the calls. */
function createCallFields() {
  const ids = new Map<unknown, string>()
  const fields = new Map<string, JsonObject>()
  return {
    take(deltas: Json | undefined): void {
      for (const delta of Array.isArray(deltas) ? (deltas as Json[]) : []) {
        if (!isJsonObject(delta)) continue
        const { index, id: newId, type: _, function: called = null, ...rest } = delta
        if (typeof newId === 'string') ids.set(index, newId)
        const id = ids.get(index)
        const { name: _name, arguments: _arguments, ...ofFunction } = isJsonObject(called) ? called : {}
        if (id === undefined) continue
        const { [FUNCTION]: earlier = {}, ...before } = fields.get(id) ?? {}
        const inFunction = { ...(earlier as JsonObject), ...withoutNulls(ofFunction) }
        const own = {
          ...before,
          ...withoutNulls(rest),
          ...(hasFields(inFunction) && { [FUNCTION]: inFunction }),
        }
        if (hasFields(own)) fields.set(id, own)
      }
    },
    /** `isSigned`: the package keeps Google's signature. */
    of(id: string, isSigned: boolean): JsonObject | undefined {
      const { extra_content: extra, ...rest } = fields.get(id) ?? {}
      const own = isSigned || extra === undefined ? rest : { ...rest, extra_content: extra }
      return hasFields(own) ? own : undefined
    },
  }
}

function withoutNulls(fields: JsonObject): JsonObject {
  const own = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)
  return Object.fromEntries(own)
}

function hasFields(fields: JsonObject): boolean {
  return Object.keys(fields).length > 0
}

function takeLists(lists: Lists, delta: JsonObject): Lists {
  for (const list of LISTS) {
    const items = delta[list]
    if (Array.isArray(items)) for (const item of items) addItem((lists[list] ??= []), item as Json)
  }
  return lists
}

function addItem(items: Json[], item: Json): void {
  if (!isJsonObject(item)) return void (typeof item === 'string' && items.push(item))
  const before = items.at(-1)
  const last = isJsonObject(before) ? before : undefined
  const continues = last && last['type'] === item['type'] && last['index'] === item['index']
  if (!continues || !TEXTS.some((name) => name in last)) return void items.push(item)
  const fields = Object.entries(item).filter(([, value]) => value !== null)
  const texts = TEXTS.flatMap((name) =>
    name in last || name in item ? [[name, `${textOf(last[name])}${textOf(item[name])}`] as const] : [],
  )
  items[items.length - 1] = { ...last, ...Object.fromEntries(fields), ...Object.fromEntries(texts) }
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

function addMetadata<T extends { readonly providerMetadata?: SharedV4ProviderMetadata }>(
  part: T,
  own: SharedV4ProviderMetadata[string],
): T {
  const all = part.providerMetadata
  return { ...part, providerMetadata: { ...all, [NAMESPACE]: { ...all?.[NAMESPACE], ...own } } }
}

/**
 * The reasoning of an answer goes back with the calls that it led to, in the form in which it came. With an answer
 * without calls, providers ignore or refuse it.
 */
export function returnReasoning(message: LanguageModelV4Message): LanguageModelV4Message[] {
  if (message.role !== 'assistant') return [message]
  const own = (part: AssistantPart) => part.providerOptions?.[NAMESPACE]
  const calls = message.content.filter((part) => part.type === 'tool-call')
  const lists = calls.map((call) => own(call)?.['lists']).find(isJsonObject)
  const reasoning = message.content
    .map((part) => (part.type === 'reasoning' && own(part)?.['isReasoning'] ? part.text : ''))
    .join('')
  const inWords = calls.length > 0 && reasoning !== '' ? { reasoning } : undefined
  // Signatures are no thoughts: these go back with them.
  const hasThoughts = lists !== undefined && THOUGHTS.some((name) => name in lists)
  const ofMessage = hasThoughts || !inWords ? lists : { ...inWords, ...lists }
  const goBack = calls.length > 0 && !hasThoughts && !inWords
  const content = message.content.flatMap((part): AssistantPart[] => {
    if (part.type === 'reasoning') return goBack ? [part] : []
    const call = part.type === 'tool-call' ? own(part)?.['call'] : undefined
    if (part.type !== 'tool-call' || !isJsonObject(call)) return [part]
    const { [FUNCTION]: inFunction, ...rest } = call
    const called = { name: part.toolName, arguments: JSON.stringify(part.input) }
    const fields = isJsonObject(inFunction) ? { ...rest, [FUNCTION]: { ...called, ...inFunction } } : rest
    return [{ ...part, providerOptions: { ...part.providerOptions, [PACKAGE]: fields } }]
  })
  if (content.length === 0) return []
  return [{ ...message, content, ...(ofMessage && { providerOptions: { [PACKAGE]: ofMessage } }) }]
}
