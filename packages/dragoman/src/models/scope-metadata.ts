import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider'

/**
 * The provider of metadata, and its key in the provider's package. Without a namespace, all keys belong to it,
 * as for a model object.
 */
export type MetadataOwner = { readonly provider: string; readonly namespace?: string }

/**
 * Stores provider metadata under the provider's own name. Several providers may use one package, and each
 * refuses the signatures of others.
 */
export function scopeMetadata<T extends { readonly providerMetadata?: SharedV4ProviderMetadata }>(
  part: T,
  { provider, namespace }: MetadataOwner,
): T {
  const all = part.providerMetadata
  const metadata = namespace === undefined ? all : all?.[namespace]
  if (metadata === undefined || provider === namespace) return part
  return { ...part, providerMetadata: { [provider]: metadata } }
}

export function scopePartMetadata(
  part: LanguageModelV4StreamPart,
  owner: MetadataOwner,
): LanguageModelV4StreamPart {
  return 'providerMetadata' in part ? scopeMetadata(part, owner) : part
}

/**
 * The prompt for one provider: without metadata of other providers, and without reasoning that this provider has
 * not signed.
 */
export function scopePrompt(prompt: LanguageModelV4Prompt, owner: MetadataOwner): LanguageModelV4Prompt {
  return prompt.flatMap((message): LanguageModelV4Message[] => {
    if (message.role === 'system') return [ownOptions(message, owner)]
    const content = message.content.flatMap((part) => {
      const ownPart = ownOptions<typeof part>(part, owner)
      const isReasoning =
        part.type === 'reasoning' || part.type === 'reasoning-file' || part.type === 'custom'
      return isReasoning && ownPart.providerOptions === undefined ? [] : [ownPart]
    })
    // A message of nothing is refused.
    if (content.length === 0) return []
    return [{ ...ownOptions(message, owner), content } as LanguageModelV4Message]
  })
}

function ownOptions<T extends { readonly providerOptions?: SharedV4ProviderMetadata }>(
  item: T,
  { provider, namespace }: MetadataOwner,
): T {
  if (item.providerOptions === undefined) return item
  const { providerOptions, ...rest } = item
  const options = providerOptions[provider]
  if (options === undefined) return rest as T
  return { ...rest, providerOptions: namespace === undefined ? options : { [namespace]: options } } as T
}
