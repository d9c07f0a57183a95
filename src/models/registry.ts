import type { LanguageModelV4 } from '@ai-sdk/provider'

import { ServiceError } from '../errors.ts'
import { anthropic, claudeAliases } from './anthropic.ts'
import { modelFailure } from './failure.ts'
import { openai } from './openai.ts'
import type { Environment, Provider } from './provider.ts'

export type ModelsOptions = {
  /** The process environment; it is read nowhere else in this folder. */
  readonly env: Environment
  /** The model that stands in for every agent's own: an alias, `provider:model`, `provider` or `offline`. */
  readonly override?: string | undefined
  /** Tokens a second that the offline model speaks; 0 is as fast as it can. */
  readonly offlinePace: number
}

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

/** Finds the model for an agent. */
export interface Models {
  choose(agentModel: { readonly primary: string; readonly fallback: string }): ModelChoice
}

/** What a model's name means: a provider and a model of its, the built-in model, or nothing that we know. */
type Meaning = { readonly provider: Provider; readonly modelId: string } | 'offline' | undefined

/** @throws ServiceError `invalid-request` for an override that cannot be followed, or an unreadable base URL. */
export function createModels({ env, override, offlinePace }: ModelsOptions): Models {
  const providers = [anthropic(env), openai(env)]
  const aliases = claudeAliases(env)

  function meaning(name: string): Meaning {
    if (name === 'offline') return 'offline'
    const full = aliases.has(name) ? `anthropic:${name}` : name
    const [, providerName, modelId] = /^([^:]+)(?::(.+))?$/s.exec(full) ?? []
    const provider = providers.find((known) => known.name === providerName)
    if (!provider) return undefined
    const alias = provider.name === 'anthropic' ? aliases.get(modelId ?? '') : undefined
    return { provider, modelId: alias ?? modelId ?? provider.defaultModel }
  }

  function offline(why: string): ModelChoice {
    return choice('offline', why, () => loadOffline(offlinePace))
  }

  function reach(name: string, role: string): ModelChoice | undefined {
    const meant = meaning(name)
    if (meant === 'offline') return offline(`It is the agent's ${role}.`)
    if (!meant?.provider.configuredBy) return undefined
    return chosen(
      meant.provider,
      meant.modelId,
      `It is the agent's ${role} (${name}), and ${meant.provider.configuredBy} is set.`,
    )
  }

  function anyProvider(primary: string, fallback: string): ModelChoice | undefined {
    const provider = providers.find((known) => known.configuredBy)
    const why = `The agent's own models (${primary}, ${fallback}) cannot be reached; ${provider?.configuredBy} is set.`
    return provider && chosen(provider, provider.defaultModel, why)
  }

  const everybodys = override?.trim() ? overriding(meaning(override.trim()), offline) : undefined

  return {
    choose: ({ primary, fallback }) =>
      everybodys ??
      reach(primary, 'first choice') ??
      reach(fallback, 'second choice') ??
      anyProvider(primary, fallback) ??
      offline('No model provider is configured: set ANTHROPIC_API_KEY or OPENAI_API_KEY, or a base URL.'),
  }
}

/** The override's words are not quoted back: people paste keys into the wrong place. */
function overriding(meant: Meaning, offline: (why: string) => ModelChoice): ModelChoice {
  const why = 'DRAGOMAN_MODEL (or --model) says so for every agent.'
  if (meant === 'offline') return offline(why)
  if (!meant) {
    throw new ServiceError(
      'invalid-request',
      'DRAGOMAN_MODEL (or --model) names no known provider: use anthropic:<model>, openai:<model>, offline, or the aliases sonnet and haiku.',
    )
  }
  const { provider, modelId } = meant
  if (!provider.configuredBy) {
    throw new ServiceError(
      'invalid-request',
      `DRAGOMAN_MODEL (or --model) names a model of ${provider.name}, but neither ${provider.variables.join(' nor ')} is set.`,
    )
  }
  return chosen(provider, modelId, why)
}

function chosen(provider: Provider, modelId: string, why: string): ModelChoice {
  return choice(`${provider.name}:${modelId}`, why, () => provider.load(modelId))
}

function choice(name: string, why: string, load: ModelChoice['load']): ModelChoice {
  return { name, why, load, failure: (error) => modelFailure(error, name) }
}

async function loadOffline(pace: number): Promise<LanguageModelV4> {
  const { offlineModel } = await import('./offline/index.ts')
  return offlineModel({ pace })
}
