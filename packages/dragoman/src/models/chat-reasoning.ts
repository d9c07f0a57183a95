import type {
  LanguageModelV4Message,
  LanguageModelV4StreamPart,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider'

import { isJsonObject, type Json } from '../events/index.ts'

type Part = LanguageModelV4StreamPart
type Read = { readonly value?: Part | undefined }
type JsonObject = { readonly [key: string]: Json }

/** The key of metadata in the package for chat completions. */
const NAMESPACE = 'openai'
/** Fields whose items go back as they came. OpenRouter has the first, LiteLLM the second. */
const LISTS = ['reasoning_details', 'thinking_blocks'] as const
/** Fields of an item that arrive in pieces. */
const TEXTS = ['text', 'summary', 'thinking'] as const

type Lists = { [list in (typeof LISTS)[number]]?: JsonObject[] }

/**
 * Keeps what a provider of chat completions needs back, as metadata of the parts: that the reasoning came as
 * `reasoning_content`, and the lists that belong to the calls. The package has no place for them, so the request asks
 * for raw chunks. They end here.
 */
export function keepReasoning(read: () => Promise<Read>): () => Promise<Read> {
  const lists: Lists = {}
  let isContent = false
  let hasCall = false
  const take = (raw: unknown): void => {
    const [choice] = isJsonObject(raw) && Array.isArray(raw['choices']) ? (raw['choices'] as Json[]) : []
    const delta = isJsonObject(choice) ? choice['delta'] : undefined
    if (!isJsonObject(delta)) return
    isContent ||= typeof delta['reasoning_content'] === 'string' && delta['reasoning_content'] !== ''
    for (const list of LISTS) {
      const items = delta[list]
      if (Array.isArray(items)) for (const item of items) addItem((lists[list] ??= []), item as Json)
    }
  }
  return async () => {
    for (;;) {
      const result = await read()
      const { value: part } = result
      if (part?.type === 'raw') {
        take(part.rawValue)
        continue
      }
      if (part?.type === 'reasoning-end' && isContent) return { value: addMetadata(part, { isContent }) }
      if (part?.type !== 'tool-call' || hasCall) return result
      hasCall = true
      return Object.keys(lists).length > 0 ? { value: addMetadata(part, { lists }) } : result
    }
  }
}

function addItem(items: JsonObject[], item: Json): void {
  if (!isJsonObject(item)) return
  const last = items.at(-1)
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
  const calls = message.content.filter((part) => part.type === 'tool-call')
  const lists = calls.map((call) => call.providerOptions?.[NAMESPACE]?.['lists']).find(isJsonObject)
  const content =
    calls.length > 0 && !lists ? message.content : message.content.filter(({ type }) => type !== 'reasoning')
  if (content.length === 0) return []
  // The package adds this key to the message as it is.
  return [{ ...message, content, ...(lists && { providerOptions: { openaiCompatible: lists } }) }]
}
