import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'

type Options = LanguageModelV4CallOptions

/**
 * Declares the tools of earlier calls for a request that has no tools any more, and lets the model call none:
 * Claude's API refuses calls and outcomes of which no tool is declared.
 */
export function declareTools(options: Options): Options {
  if ((options.tools ?? []).length > 0) return options
  const names = new Set(
    options.prompt.flatMap((message) =>
      message.role === 'assistant'
        ? message.content.flatMap((part) =>
            part.type === 'tool-call' && !part.providerExecuted ? [part.toolName] : [],
          )
        : [],
    ),
  )
  if (names.size === 0) return options
  const tools = Array.from(names, (name) => ({
    type: 'function' as const,
    name,
    description: 'It can no longer be called.',
    inputSchema: { type: 'object' as const, properties: {} },
  }))
  return { ...options, tools, toolChoice: { type: 'none' } }
}
