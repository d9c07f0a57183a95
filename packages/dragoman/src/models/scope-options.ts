import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'

import type { ProviderApi } from './provider-api.ts'

type Options = LanguageModelV4CallOptions

/** A provider, and its key in its package. */
type OptionsOwner = { readonly provider: string; readonly namespace?: string; readonly api?: ProviderApi }

/**
 * The options and the tools for one provider: each refuses those of others. A model object without a namespace gets
 * all, as its author chose both.
 */
export function scopeOptions(options: Options, owner: OptionsOwner): Options {
  const { namespace } = owner
  if (namespace === undefined) return options
  const { providerOptions, tools, toolChoice, ...rest } = options
  const { [owner.api === 'chat' ? 'openaiCompatible' : namespace]: ofPackage, [owner.provider]: ofProvider } =
    providerOptions ?? {}
  const ownOptions = (ofPackage ?? ofProvider) && { [namespace]: { ...ofPackage, ...ofProvider } }
  const ownTools = tools?.filter((tool) => tool.type === 'function' || tool.id.startsWith(`${namespace}.`))
  return {
    ...rest,
    ...(ownOptions && { providerOptions: ownOptions }),
    ...(ownTools && ownTools.length > 0 && { tools: ownTools }),
    ...(toolChoice && { toolChoice: canChoose(toolChoice, ownTools) ? toolChoice : { type: 'auto' } }),
  }
}

/** A call of a tool that is not there cannot be required. */
function canChoose(choice: NonNullable<Options['toolChoice']>, tools: Options['tools'] = []): boolean {
  if (choice.type === 'tool') return tools.some(({ name }) => name === choice.toolName)
  return choice.type !== 'required' || tools.length > 0
}
