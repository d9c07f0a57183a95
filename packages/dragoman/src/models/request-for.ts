import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'

import { addCacheControl } from './cache-control.ts'
import { returnReasoning } from './chat-reasoning.ts'
import { declareTools } from './declare-tools.ts'
import { fitTools } from './fit-tools.ts'
import { fitPropertyNames, restoreCall } from './property-names.ts'
import type { ProviderApi } from './provider-api.ts'
import { scopePrompt } from './scope-metadata.ts'
import { scopeOptions } from './scope-options.ts'
import { withoutStoredItems } from './stateless-responses.ts'
import { toWellFormed } from './well-formed.ts'

type Endpoint = {
  readonly name: string
  readonly provider: string
  readonly namespace?: string
  readonly api?: ProviderApi
  readonly keepsReasoning?: boolean
  readonly keepsItems?: boolean
}

/** The request as the provider of the model takes it. `restore` reads the parts of its answer. */
export function requestFor(
  endpoint: Endpoint,
  options: LanguageModelV4CallOptions,
  signal: AbortSignal,
): { request: LanguageModelV4CallOptions; restore: <P extends { readonly type: string }>(part: P) => P } {
  const scoped = toWellFormed(scopePrompt(options.prompt, endpoint))
  const { keepsReasoning = false, keepsItems = false } = endpoint
  const namespace = endpoint.namespace ?? endpoint.provider.split('.')[0] ?? endpoint.provider
  const prompt = keepsReasoning ? scoped.flatMap(returnReasoning) : scoped
  const own = {
    ...fitTools(scopeOptions(options, endpoint), endpoint),
    prompt,
    includeRawChunks: keepsReasoning,
    abortSignal: signal,
  }
  const isClaude = namespace === 'anthropic' || endpoint.name.includes('claude')
  const { options: fitted, restore } = isClaude ? fitPropertyNames(own) : { options: own, restore: undefined }
  const request = namespace === 'anthropic' ? declareTools(fitted) : fitted
  return {
    request: keepsItems ? withoutStoredItems(request, namespace) : addCacheControl(request, namespace),
    restore: (part) => restoreCall(part, restore),
  }
}
