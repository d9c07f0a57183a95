import type { LanguageModelV4 } from '@ai-sdk/provider'

import type { ServiceError } from '../errors.ts'
import { once } from '../once.ts'
import type { Member } from './attempt.ts'
import { modelFailure } from './failure.ts'
import type { Provider } from './provider.ts'
import { resilient, type Patience } from './resilient.ts'

/** Which model speaks: its full name, and the provider whose metadata comes with its words. */
export type Speaker = { readonly name: string; readonly provider: string }

/** A model that can be loaded, what it is called, and one sentence on why it was taken. None of it ever holds a key. */
export interface ModelChoice {
  readonly name: string
  readonly why: string
  /** `answered` is told on each call who speaks, before the first part is given on: another model may have had to stand in. */
  load(answered?: (by: Speaker) => void): Promise<LanguageModelV4>
  /** What its user may be told of an error that came from this model. */
  failure(error: unknown): ServiceError
}

/** A model that may be taken: it stands at one or more addresses. */
export type Candidate = {
  readonly name: string
  readonly why: string
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
    load: (answered) =>
      resilient(chain, patience, ({ name: by, provider }) => answered?.({ name: by, provider })),
    failure: members[0].failure,
  }
}

/** A model of a provider's. Each of its addresses is one to ask. */
export function candidateOf(provider: Provider, modelId: string, why: string): Candidate | undefined {
  const name = `${provider.name}:${modelId}`
  const { namespace, silenceMs, keyVariable } = provider
  const failure = (error: unknown): ServiceError => modelFailure(error, { name, keyVariable })
  const [first, ...backups] = provider.addresses.map((load): Member => ({
    name,
    provider: provider.name,
    namespace,
    silenceMs,
    load: once(() => load(modelId)),
    failure,
  }))
  return first && { name, why, members: [first, ...backups] }
}

/** The model that needs nothing. It is never silent but while it waits for its next word. */
export function offlineCandidate(pace: number, why: string): Candidate {
  const load = once(async () => (await import('./offline/index.ts')).offlineModel({ pace }))
  const failure = (error: unknown): ServiceError =>
    modelFailure(error, { name: 'offline', keyVariable: 'nothing' })
  const namespace = 'dragoman'
  return {
    name: 'offline',
    why,
    members: [{ name: 'offline', provider: 'offline', namespace, silenceMs: 0, load, failure }],
  }
}
