import { createHash } from 'node:crypto'

import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '@ai-sdk/provider'

import type { ModelEndpoint } from './call-model.ts'

type Options = LanguageModelV4CallOptions
type Call<T> = (options: Options) => Promise<T>

/** What a model may refuse, by the words of its refusal, and the request without it. */
type Remedy = { readonly words: RegExp; readonly change: (options: Options) => Options }

const REMEDIES: readonly Remedy[] = [
  { words: /temperature/i, change: without('temperature') },
  { words: /reason|think/i, change: without('reasoning') },
  { words: /tool.?choice/i, change: without('toolChoice') },
  {
    words: /(?:system|developer) (?:role|message|prompt|instruction)s?\b.{0,60}\bnot\b/i,
    change: (options) => ({ ...options, prompt: instructUser(options.prompt) }),
  },
  {
    // Mistral takes nine letters and digits alone, OpenAI no more than 64 characters.
    words: /(?:tool.?call.?id|tool_calls\S{0,12}id|tool_use\.id|call_id).{0,80}(?:length|long|pattern)/i,
    change: (options) => ({ ...options, prompt: options.prompt.map(withShortIds) }),
  },
]

/**
 * Asks a model that refuses a setting, messages of the system or the ids of calls to answer without it, at once and
 * from then on. Most providers say what their models take; servers of local models and gateways refuse.
 */
export function createSettingFallback() {
  const refused = new Map<ModelEndpoint, ReadonlySet<Remedy>>()
  return async <T>(call: Call<T>, endpoint: ModelEndpoint, options: Options): Promise<T> => {
    for (;;) {
      const earlier = refused.get(endpoint) ?? new Set()
      const request = [...earlier].reduce((changed, remedy) => remedy.change(changed), options)
      try {
        return await call(request)
      } catch (error) {
        const { code, message } = endpoint.failure(error)
        // What was tried already does not help, whatever the words.
        const others = REMEDIES.filter((remedy) => !earlier.has(remedy))
        const remedy = others.find(({ words, change }) => words.test(message) && hasEffect(change, request))
        if (code !== 'model-refused' || !remedy || options.abortSignal?.aborted) throw error
        refused.set(endpoint, new Set([...earlier, remedy]))
      }
    }
  }
}

function without(setting: keyof Options): Remedy['change'] {
  return (options) => {
    const { [setting]: _, ...others } = options
    return others as Options
  }
}

function hasEffect(change: Remedy['change'], options: Options): boolean {
  const changed = change(options)
  const isSame = ([name, value]: [string, unknown]): boolean => changed[name as keyof Options] === value
  return !Object.entries(options).every(([name, value]) => value === undefined || isSame([name, value]))
}

const ID_LENGTH = 9

/** The ids of calls, which may be of another provider, as ones that every provider takes. */
function withShortIds(message: LanguageModelV4Message): LanguageModelV4Message {
  if (message.role !== 'assistant' && message.role !== 'tool') return message
  const content = message.content.map((part) =>
    'toolCallId' in part && part.toolCallId.length !== ID_LENGTH
      ? { ...part, toolCallId: shortId(part.toolCallId) }
      : part,
  )
  return { ...message, content } as LanguageModelV4Message
}

function shortId(id: string): string {
  const digits = BigInt(`0x${createHash('sha256').update(id).digest('hex')}`).toString(36)
  return digits.slice(0, ID_LENGTH)
}

/** Some templates of models know no system: the instructions stand before the first words of the user. */
function instructUser(prompt: readonly LanguageModelV4Message[]): LanguageModelV4Message[] {
  const text = prompt.flatMap(({ role, content }) => (role === 'system' ? [content] : [])).join('\n\n')
  const others = prompt.filter(({ role }) => role !== 'system')
  const [first, ...rest] = others
  if (text === '' || first?.role !== 'user') return [...prompt]
  return [{ ...first, content: [{ type: 'text', text }, ...first.content] }, ...rest]
}
