import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider'

type Tool = NonNullable<LanguageModelV4CallOptions['tools']>[number]
type Request = Pick<LanguageModelV4CallOptions, 'prompt' | 'tools'>

const CACHE_CONTROL = { cacheControl: { type: 'ephemeral' } }

/**
 * Marks the parts of a request that the next request repeats. Claude caches what precedes a mark, and reads it
 * for a tenth of the price. The marks are after the tools, the system prompt and the conversation: three of the
 * four that it allows. Other providers cache automatically.
 */
export function addCacheControl<R extends Request>(request: R, namespace: string | undefined): R {
  if (namespace !== 'anthropic') return request
  const { prompt, tools } = request
  const last = tools?.at(-1)
  return {
    ...request,
    prompt: markPrompt(prompt),
    ...(tools && last && { tools: [...tools.slice(0, -1), markTool(last)] }),
  }
}

/** Tools that the provider itself runs have no place for a mark. */
function markTool(tool: Tool): Tool {
  return tool.type === 'function' ? { ...tool, ...markedOptions(tool) } : tool
}

function markPrompt(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  const system = prompt.findLastIndex((message) => message.role === 'system')
  return prompt.map((message, index) => {
    const isLast = index === prompt.length - 1 && (message.role === 'user' || message.role === 'tool')
    // It refuses a mark on nothing.
    const isSystem = index === system && message.content.length > 0
    return isLast || isSystem ? { ...message, ...markedOptions(message) } : message
  })
}

type Options = LanguageModelV4CallOptions['providerOptions']

function markedOptions(item: { readonly providerOptions?: Options }): {
  readonly providerOptions: NonNullable<Options>
} {
  const own = item.providerOptions ?? {}
  return { providerOptions: { ...own, anthropic: { ...own['anthropic'], ...CACHE_CONTROL } } }
}
