import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'

import { isServiceError } from '../errors.ts'
import type { ModelEndpoint } from './call-model.ts'
import { findRemedy } from './remedies.ts'
import type { Remedies, Remedy } from './remedy.ts'

type Options = LanguageModelV4CallOptions
type Call<T> = (options: Options) => Promise<T>

/** A request may have so many faults. */
const MAX_REMEDIES = 8
/** And so many tools may be at fault. */
const MAX_OF_TOOLS = 32
/** Clients bring tools of their own, so what is learned of tools has an end. */
const MAX_LEARNED = 200

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
    const tried: Remedy[] = []
    for (;;) {
      const request = [...remedies.values()].reduce(
        (changed, { change }) => change?.(changed) ?? changed,
        options,
      )
      try {
        return await call(request)
      } catch (error) {
        const isOver = options.abortSignal?.aborted === true || hasTriedAll(tried)
        const remedy = isOver ? undefined : remedyFor(error, request, { endpoint, remedies })
        if (!remedy) {
          tried.forEach(({ name }) => remedies.delete(name))
          throw error
        }
        tried.push(remedy)
        learn(remedies, remedy)
      }
    }
  }
}

function hasTriedAll(tried: readonly Remedy[]): boolean {
  const ofTools = tried.filter(({ isOfTool }) => isOfTool).length
  return ofTools >= MAX_OF_TOOLS || tried.length - ofTools >= MAX_REMEDIES
}

function learn(remedies: Remedies, remedy: Remedy): void {
  const oldest =
    remedies.size < MAX_LEARNED ? undefined : [...remedies.values()].find(({ isOfTool }) => isOfTool)
  if (oldest) remedies.delete(oldest.name)
  remedies.set(remedy.name, remedy)
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
