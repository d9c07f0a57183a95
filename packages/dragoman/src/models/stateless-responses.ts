import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider'

/**
 * Makes a request of OpenAI's responses independent of what OpenAI keeps: it stores nothing, and gets its reasoning
 * back encrypted. A conversation outlives stored items, which also do not exist after an answer that was cut off and
 * for organizations without data retention. `namespace` is the key of the package's options.
 */
export function withoutStoredItems(
  options: LanguageModelV4CallOptions,
  namespace: string,
): LanguageModelV4CallOptions {
  const { providerOptions, prompt, tools = [] } = options
  const providerNames = new Map(
    tools.map((tool) => [tool.name, tool.type === 'provider' ? tool.id.replace(/^.*\./, '') : tool.name]),
  )
  return {
    ...options,
    prompt: prompt
      .flatMap((message) => withoutReferences(message, namespace))
      .flatMap((message) => withOutcomes(message, (name) => providerNames.get(name) ?? name)),
    providerOptions: { ...providerOptions, [namespace]: { ...providerOptions?.[namespace], store: false } },
  }
}

/** Reasoning without its encrypted content would be looked up by its id. */
function withoutReferences(message: LanguageModelV4Message, namespace: string): LanguageModelV4Message[] {
  if (message.role !== 'assistant') return [message]
  const own = (part: { readonly providerOptions?: SharedV4ProviderOptions }) =>
    part.providerOptions?.[namespace]
  const encrypted = new Set(
    message.content.flatMap((part) =>
      typeof own(part)?.['reasoningEncryptedContent'] === 'string' ? [own(part)?.['itemId']] : [],
    ),
  )
  const content = message.content.filter(
    (part) => part.type !== 'reasoning' || encrypted.has(own(part)?.['itemId']),
  )
  return content.length === 0 ? [] : [{ ...message, content }]
}

/** The package sends the outcomes of these tools, and pictures go back by themselves. */
const WITH_OUTCOMES =
  /^(?:web_search|web_search_preview|tool_search|programmatic_tool_calling|shell|image_generation)$/

type Assistant = Extract<LanguageModelV4Message, { role: 'assistant' }>
type Outcome = Extract<Assistant['content'][number], { type: 'tool-result' }>

/**
 * What OpenAI's other tools have given (code interpreter, file search, MCP) the package leaves out where nothing is
 * stored, and the model would forget it. So each goes back as a call like any other, with its outcome.
 */
function withOutcomes(
  message: LanguageModelV4Message,
  providerName: (name: string) => string,
): LanguageModelV4Message[] {
  if (message.role !== 'assistant') return [message]
  const outcomes = new Map<string, Outcome>()
  for (const part of message.content)
    if (part.type === 'tool-result' && !WITH_OUTCOMES.test(providerName(part.toolName)))
      outcomes.set(part.toolCallId, part)
  if (outcomes.size === 0) return [message]
  const messages: LanguageModelV4Message[] = []
  let content: Assistant['content'] = []
  for (const part of message.content) {
    const outcome = 'toolCallId' in part ? outcomes.get(part.toolCallId) : undefined
    if (!outcome) content.push(part)
    else if (part.type === 'tool-call') {
      const { providerExecuted: _, providerOptions: _own, ...call } = part
      const { providerOptions: _its, ...result } = outcome
      messages.push({ ...message, content: [...content, call] }, { role: 'tool', content: [result] })
      content = []
    }
  }
  return content.length === 0 ? messages : [...messages, { ...message, content }]
}

/** Has OpenAI store the answers, for its own pages. No request depends on it. */
export function storeAnswers(send: typeof fetch): typeof fetch {
  return (url, options) => {
    if (typeof options?.body !== 'string') return send(url, options)
    const body = JSON.stringify({ ...(JSON.parse(options.body) as object), store: true })
    return send(url, { ...options, body })
  }
}
