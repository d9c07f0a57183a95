import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'

import type { ModelEndpoint } from './call-model.ts'

type Call<T> = (options: LanguageModelV4CallOptions) => Promise<T>

/**
 * Asks a model that refuses to reason to answer without it, at once and from then on. Most providers know what their
 * models can; servers of local models refuse.
 */
export function createReasoningFallback() {
  const refusing = new Set<ModelEndpoint>()
  return async <T>(
    call: Call<T>,
    endpoint: ModelEndpoint,
    options: LanguageModelV4CallOptions,
  ): Promise<T> => {
    const { reasoning, ...plain } = options
    if (reasoning === undefined || refusing.has(endpoint)) return call(plain)
    try {
      return await call(options)
    } catch (error) {
      const { code, message } = endpoint.failure(error)
      const isRefusal = code === 'model-refused' && /reason|think/i.test(message)
      if (!isRefusal || options.abortSignal?.aborted) throw error
      refusing.add(endpoint)
      return call(plain)
    }
  }
}
