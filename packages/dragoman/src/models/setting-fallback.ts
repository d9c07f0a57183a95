import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'

import { isServiceError } from '../errors.ts'
import type { ModelEndpoint } from './call-model.ts'
import { findRemedy } from './remedies.ts'
import type { Remedies, Remedy } from './remedy.ts'

type Options = LanguageModelV4CallOptions
type Call<T> = (options: Options) => Promise<T>

/** A request may have so many faults. */
const MAX_REMEDIES = 8

/**
 * Asks a model that refuses a setting, a field or an order of messages to answer without it, at once and from then on.
 * Most providers say what their models take; servers of local models and gateways refuse. A refusal costs nothing. What
 * did not help is forgotten.
 */
export function createSettingFallback() {
  const ofRun = new Map<ModelEndpoint, Remedies>()
  return async <T>(call: Call<T>, endpoint: ModelEndpoint, options: Options): Promise<T> => {
    const remedies = endpoint.remedies ?? ofRun.get(endpoint) ?? new Map()
    ofRun.set(endpoint, remedies)
    const tried = new Set<string>()
    for (;;) {
      const request = [...remedies.values()].reduce(
        (changed, { change }) => change?.(changed) ?? changed,
        options,
      )
      try {
        return await call(request)
      } catch (error) {
        const mayAsk = tried.size < MAX_REMEDIES && !options.abortSignal?.aborted
        const remedy = mayAsk ? remedyFor(error, request, { endpoint, remedies }) : undefined
        if (!remedy) {
          tried.forEach((name) => remedies.delete(name))
          throw error
        }
        tried.add(remedy.name)
        remedies.set(remedy.name, remedy)
      }
    }
  }
}

type Learner = { readonly endpoint: ModelEndpoint; readonly remedies: Remedies }

function remedyFor(error: unknown, request: Options, { endpoint, remedies }: Learner): Remedy | undefined {
  if (!isRefusal(error, endpoint)) return undefined
  const words = endpoint.failure(error).message.replaceAll(endpoint.name, '')
  return findRemedy(
    { words, request, model: endpoint.name, warn: endpoint.warn },
    remedies,
    endpoint.remedies !== undefined,
  )
}

/** Our own errors are about answers, which cost something. */
function isRefusal(error: unknown, endpoint: ModelEndpoint): boolean {
  return !isServiceError(error) && endpoint.failure(error).code === 'model-refused'
}
