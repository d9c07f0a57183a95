import { ServiceError } from '../errors.ts'
import { claudeAliases } from './built-in-providers.ts'
import type { ModelsFile } from './models-file.ts'
import { isInstalled } from './provider-packages.ts'
import type { Environment, Provider } from './provider.ts'

/** The meaning of a model's name: a provider and a model, the demo model, or unknown. */
export type NameResolution =
  | { readonly provider: Provider; readonly modelId: string | undefined }
  | 'offline'
  | undefined

/**
 * Reads names: `offline`, a short name, `provider`, `provider/model` or `provider/short-name`. A colon separates
 * as well as a slash. The rest of a name may have both: `openrouter/vendor/model`, `ollama/qwen3:8b`.
 */
export function createNameResolver(
  providers: readonly Provider[],
  file: ModelsFile,
  env: Environment,
): (name: string) => NameResolution {
  const byName = new Map(providers.map((provider) => [provider.name, provider]))
  const fullNames = new Map<string, { readonly provider: string; readonly modelId: string }>()
  for (const [short, modelId] of claudeAliases(env)) fullNames.set(short, { provider: 'anthropic', modelId })
  for (const [short, { provider, model_name: modelId }] of Object.entries(file.models)) {
    fullNames.set(short, { provider, modelId })
  }

  return (name) => {
    if (name === 'offline') return 'offline'
    const short = fullNames.get(name)
    const [providerName, rest] = short ? [short.provider] : splitName(name, byName)
    const provider = byName.get(providerName)
    if (!provider || rest === '') return undefined
    const shortName = short ?? fullNames.get(rest ?? '')
    const modelId = shortName?.provider === provider.name ? shortName.modelId : rest
    return { provider, modelId: modelId ?? provider.defaultModel }
  }
}

/** A provider's name in models.yaml may contain a separator too: the longest match counts. */
function splitName(name: string, byName: ReadonlyMap<string, Provider>): [provider: string, rest?: string] {
  const fitting = [...byName.keys()].filter((each) => isFullName(name, each))
  const provider = fitting.toSorted((a, b) => b.length - a.length)[0]
  if (provider === undefined) return [name]
  return name === provider ? [provider] : [provider, name.slice(provider.length + 1)]
}

/** Whether a name begins with its provider's. */
export function isFullName(name: string, provider: string): boolean {
  return name.startsWith(provider) && /^(?:[/:]|$)/.test(name.slice(provider.length))
}

/** All names that lead to a model. */
export function listModelNames(
  providers: readonly Provider[],
  file: ModelsFile,
  resolveName: (name: string) => NameResolution,
): string[] {
  const short = ['sonnet', 'haiku', ...Object.keys(file.models)].filter((name) => {
    const resolution = resolveName(name)
    return typeof resolution === 'object' && resolution.provider.reachable
  })
  const full = providers.filter(({ reachable }) => reachable).map(({ name }) => `${name}/<model>`)
  return ['offline', ...short, ...full]
}

/** The names of all models that the settings name: the override, those of models.yaml, and each provider's default. */
export function listConfiguredNames(
  providers: readonly Provider[],
  { models, defaults, global_fallback: last }: ModelsFile,
  override: string | undefined,
): string[] {
  return [
    ...(override?.trim() ? [override.trim()] : []),
    ...providers.flatMap(({ name, defaultModel }) => (defaultModel === undefined ? [] : [name])),
    ...Object.keys(models),
    ...Object.values(defaults).flatMap(({ primary, fallback }) => [primary, fallback].flat()),
    ...last,
  ]
}

/** The full name of what a name means, as a choice has it. */
export function toFullName(resolution: NameResolution): string | undefined {
  if (resolution === undefined || resolution === 'offline') return resolution
  const { provider, modelId } = resolution
  return modelId === undefined ? undefined : `${provider.name}:${modelId}`
}

/**
 * The full names of the reachable models that have a name here: each provider's default, those of models.yaml, and
 * `others`.
 */
export function listSelectableModels(
  providers: readonly Provider[],
  { models }: ModelsFile,
  others: readonly NameResolution[],
): string[] {
  const reachable = providers.filter((provider) => provider.reachable && isInstalled(provider.package))
  const names = reachable.flatMap(({ name, defaultModel }) => {
    const listed = Object.values(models).filter(({ provider }) => provider === name)
    const more = others.flatMap((other) =>
      typeof other === 'object' && other.provider.name === name ? (other.modelId ?? []) : [],
    )
    return [defaultModel ?? [], listed.map(({ model_name: modelId }) => modelId), more]
      .flat()
      .map((modelId) => `${name}/${modelId}`)
  })
  return [...new Set(names)]
}

/** The error for a requested model. As with an override, it does not quote the name. */
export function unreachableModelError(
  resolution: Exclude<NameResolution, 'offline'>,
  names: readonly string[],
): ServiceError {
  const isUnreachable = resolution !== undefined && !resolution.provider.reachable
  const problem = isUnreachable ? `cannot be reached (${resolution.provider.reason})` : 'is not known here'
  return new ServiceError('invalid-request', `model: ${problem}: use one of ${names.join(', ')}.`)
}
