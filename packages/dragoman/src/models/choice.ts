import type { LanguageModelV4 } from '@ai-sdk/provider'

import type { ServiceError } from '../errors.ts'
import { lazy } from '../async/index.ts'
import { adaptLanguageModel, type LanguageModel } from './adapt-language-model.ts'
import type { Member } from './attempt.ts'
import { contextWindowOf } from './context-window.ts'
import { demoModel, type DemoScript } from './demo/index.ts'
import { modelFailure } from './failure.ts'
import type { Provider } from './provider.ts'
import { resilient, type Hearing, type Patience } from './resilient.ts'

/**
 * Which model speaks: its full name, and the provider whose metadata comes with its words.
 *
 * @example
 * const speaker: Speaker = { name: 'anthropic:claude-sonnet-5-5', provider: 'anthropic' }
 */
export type Speaker = { readonly name: string; readonly provider: string }

/**
 * A model that can be loaded, what it is called, and one sentence on why it was taken. None of it ever holds a key.
 *
 * @example
 * const line = ({ name, why }: ModelChoice): string => `${name}: ${why}`
 */
export interface ModelChoice {
  readonly name: string
  readonly why: string
  /**
   * `answered` is told on each call who speaks, before the first part is given on: another model may have had to
   * stand in. `waits` is told
   * how many seconds a provider asks to wait before the next try.
   */
  load(answered?: (by: Speaker) => void, waits?: Hearing['waits']): Promise<LanguageModelV4>
  /** What its user may be told of an error that came from this model. */
  failure(error: unknown): ServiceError
}

/** A model that may be taken: it stands at one or more addresses. */
export type Candidate = {
  readonly name: string
  readonly why: string
  /** The package that speaks to its provider, where one has to be installed. */
  readonly package?: string
  readonly members: readonly [Member, ...Member[]]
}

/** The first of them, and the others to stand in for it, each once. */
export function choiceOf(first: Candidate, others: readonly Candidate[], patience: Patience): ModelChoice {
  const { name, why, members } = first
  const standIns = [...new Map(others.map((other) => [other.name, other])).values()].filter(
    (other) => other.name !== name,
  )
  const chain = [...members, ...standIns.flatMap((other) => other.members)] as const
  const then =
    standIns.length > 0 ? ` Where it fails: ${standIns.map((other) => other.name).join(', ')}.` : ''
  return {
    name,
    why: `${why}${then}`,
    load: (answered, waits) =>
      resilient(chain, patience, {
        answered: ({ name: by, provider }) => answered?.({ name: by, provider }),
        waits,
      }),
    failure: members[0].failure,
  }
}

/** A model of a provider's. Each of its addresses is one to ask. */
export function candidateOf(provider: Provider, modelId: string, why: string): Candidate | undefined {
  const name = `${provider.name}:${modelId}`
  const { namespace, silenceMs, keyVariable, limits, secrets } = provider
  const failure = (error: unknown): ServiceError => modelFailure(error, { name, keyVariable, secrets })
  const [first, ...backups] = provider.addresses.map((load): Member => ({
    name,
    provider: provider.name,
    namespace,
    silenceMs,
    contextWindow: provider.contextWindows?.get(modelId) ?? contextWindowOf(modelId),
    callsPerStep: limits.callsPerStep,
    load: lazy(() => load(modelId)),
    failure,
  }))
  return first && { name, why, package: provider.package, members: [first, ...backups] }
}

/** How long a model object may be silent, and how many calls it may make in one step. */
export type ObjectLimits = Pick<Member, 'silenceMs' | 'callsPerStep'>

/** A model object of an agent's code. What is its provider's own goes back to it as it came. */
export function objectCandidate(model: LanguageModel, why: string, limits: ObjectLimits): Candidate {
  const { provider, modelId } = model
  const name = `${provider}:${modelId}`
  const failure = (error: unknown): ServiceError =>
    modelFailure(error, { name, keyVariable: 'the key that the model object was created with' })
  const contextWindow = contextWindowOf(modelId)
  const load = async () => adaptLanguageModel(model)
  return { name, why, members: [{ name, provider, contextWindow, ...limits, load, failure }] }
}

/** The demo model, with an agent's script. It is never silent but while it waits for its next word. */
export function offlineCandidate(pace: number, why: string, demo: DemoScript = []): Candidate {
  const load = lazy(async () => demoModel(demo, { pace }))
  const failure = (error: unknown): ServiceError =>
    modelFailure(error, { name: 'offline', keyVariable: 'nothing' })
  const namespace = 'dragoman'
  return {
    name: 'offline',
    why,
    members: [
      {
        name: 'offline',
        provider: 'offline',
        namespace,
        silenceMs: 0,
        contextWindow: Infinity,
        callsPerStep: Infinity,
        load,
        failure,
      },
    ],
  }
}
