import type { LanguageModelV4 } from '@ai-sdk/provider'

import { ServiceError } from '../errors.ts'
import type { CallMeter } from '../events/index.ts'
import { lazy } from '../async/index.ts'
import { adaptLanguageModel, type LanguageModel } from './adapt-language-model.ts'
import type { ModelEndpoint } from './call-model.ts'
import { contextWindowOf } from './context-window.ts'
import { demoModel, type DemoScript } from './demo/index.ts'
import { modelFailure } from './model-failure.ts'
import type { Provider } from './provider.ts'
import { createResilientModel, type ModelCallbacks, type RetryPolicy } from './resilient-model.ts'
import { thoughtTags } from './thought-tags.ts'

/**
 * A model that answers: its full name, and the provider of its metadata.
 *
 * @example
 * const model: ModelInfo = { name: 'anthropic:claude-sonnet-5-5', provider: 'anthropic' }
 */
export type ModelInfo = { readonly name: string; readonly provider: string }

/**
 * A model that can be loaded, its name, and one sentence on why it was chosen. It never contains a key.
 *
 * @example
 * const line = ({ name, why }: ModelChoice): string => `${name}: ${why}`
 */
export interface ModelChoice {
  readonly name: string
  readonly why: string
  /**
   * `onModel` gets the model that answers each call, before its first part: it may be a fallback. `onWait` gets
   * each pause before the next try. `meter` counts each call, and each try of it, for
   * no matter who pays.
   */
  load(
    onModel?: (by: ModelInfo) => void,
    onWait?: ModelCallbacks['onWait'],
    meter?: CallMeter,
  ): Promise<LanguageModelV4>
  /** Converts an error of this model to an error that the user may see. */
  failure(error: unknown): ServiceError
}

/** A model that may be chosen, at one or more addresses. */
export type Candidate = {
  readonly name: string
  readonly why: string
  /** The package of its provider, if one is needed. */
  readonly package?: string
  readonly endpoints: readonly [ModelEndpoint, ...ModelEndpoint[]]
}

/** Creates a choice from a candidate and its fallbacks, each once. */
export function createChoice(
  first: Candidate,
  others: readonly Candidate[],
  retryPolicy: RetryPolicy,
): ModelChoice {
  const { name, why, endpoints } = first
  const fallbacks = [...new Map(others.map((other) => [other.name, other])).values()].filter(
    (other) => other.name !== name,
  )
  const chain = [...endpoints, ...fallbacks.flatMap((other) => other.endpoints)] as const
  const fallbackNote =
    fallbacks.length > 0 ? ` Where it fails: ${fallbacks.map((other) => other.name).join(', ')}.` : ''
  return {
    name,
    why: `${why}${fallbackNote}`,
    load: (onModel, onWait, meter) =>
      createResilientModel(chain, retryPolicy, {
        onModel: ({ name: by, provider }) => onModel?.({ name: by, provider }),
        onWait,
        meter,
      }),
    failure: endpoints[0].failure,
  }
}

/** A model of a provider's. Each of its addresses is one to ask. */
export function createCandidate(provider: Provider, modelId: string, why: string): Candidate | undefined {
  const name = `${provider.name}:${modelId}`
  const { namespace, idleTimeoutMs, keyVariable, limits, secrets, warn } = provider
  const failure = (error: unknown): ServiceError => modelFailure(error, { name, keyVariable, secrets })
  const [first, ...backups] = provider.loaders.map((loaderOf): ModelEndpoint => {
    const { load, remedies } = loaderOf(modelId)
    return {
      name,
      provider: provider.name,
      namespace,
      api: provider.endpoint.api,
      idleTimeoutMs,
      contextWindow: provider.contextWindows?.get(modelId) ?? contextWindowOf(modelId),
      callsPerStep: limits.callsPerStep,
      keepsReasoning: provider.endpoint.api === 'chat',
      keepsItems: provider.endpoint.api === 'responses',
      ...(provider.endpoint.api === 'chat' && {
        thoughtTags: thoughtTags(modelId, provider.tagSettings?.get(modelId)),
      }),
      warn,
      remedies,
      load: lazy(load),
      failure,
    }
  })
  return first && { name, why, package: provider.package, endpoints: [first, ...backups] }
}

/** The idle timeout of a model object, its maximum number of tool calls in one step, and who is warned. */
export type ObjectLimits = Pick<ModelEndpoint, 'idleTimeoutMs' | 'callsPerStep' | 'warn'>

/** The candidate for a model object in an agent's code. Its provider metadata is passed on unchanged. */
export function createObjectCandidate(model: LanguageModel, why: string, limits: ObjectLimits): Candidate {
  const { provider, modelId } = model
  const name = `${provider}:${modelId}`
  const failure = (error: unknown): ServiceError =>
    modelFailure(error, { name, keyVariable: 'the key that the model object was created with' })
  const contextWindow = contextWindowOf(modelId)
  const load = async () => adaptLanguageModel(model)
  const keepsItems = provider.endsWith('.responses')
  // Chat completions have no place for the files of an outcome: their packages would write them into its text.
  const api = provider.endsWith('.chat') && ({ api: 'chat' } as const)
  const endpoint = { name, provider, ...api, contextWindow, keepsItems, ...limits, load, failure }
  return { name, why, endpoints: [endpoint] }
}

/** The name of the model where there is none. */
export const NO_MODEL = 'none'

/** Stands where no model can answer. A call fails with the sentence. */
export function createClosedCandidate(sentence: string): Candidate {
  const refused = (): ServiceError => new ServiceError('model-missing', `No model can answer. ${sentence}`)
  return {
    name: NO_MODEL,
    why: sentence,
    endpoints: [
      {
        name: NO_MODEL,
        provider: NO_MODEL,
        idleTimeoutMs: 0,
        contextWindow: Infinity,
        callsPerStep: Infinity,
        warn: () => undefined,
        load: () => Promise.reject(refused()),
        failure: refused,
      },
    ],
  }
}

/** The demo model, with an agent's script. It is never silent but while it waits for its next word. */
export function createDemoCandidate(pace: number, why: string, demo: DemoScript = []): Candidate {
  const load = lazy(async () => demoModel(demo, { pace }))
  const failure = (error: unknown): ServiceError =>
    modelFailure(error, { name: 'offline', keyVariable: 'nothing' })
  const namespace = 'dragoman'
  return {
    name: 'offline',
    why,
    endpoints: [
      {
        name: 'offline',
        provider: 'offline',
        namespace,
        idleTimeoutMs: 0,
        contextWindow: Infinity,
        callsPerStep: Infinity,
        warn: () => undefined,
        load,
        failure,
      },
    ],
  }
}
