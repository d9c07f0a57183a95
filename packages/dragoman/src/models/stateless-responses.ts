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
  const { providerOptions, prompt } = options
  return {
    ...options,
    prompt: prompt.flatMap((message) => withoutReferences(message, namespace)),
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

/** Has OpenAI store the answers, for its own pages. No request depends on it. */
export function storeAnswers(send: typeof fetch): typeof fetch {
  return (url, options) => {
    if (typeof options?.body !== 'string') return send(url, options)
    const body = JSON.stringify({ ...(JSON.parse(options.body) as object), store: true })
    return send(url, { ...options, body })
  }
}
