import { ServiceError } from '../errors.ts'
import { DEFAULT_RESPONSE_LIMITS, type ResponseLimits } from './limit-responses.ts'
import { builtInProviders } from './built-in-providers.ts'
import { createCandidateFinder, type ModelPreference } from './candidate-finder.ts'
import { createChoice, type ModelChoice } from './model-choice.ts'
import { createModelCatalogue, type ModelCatalogue } from './model-catalogue.ts'
import { modelsFileProviders } from './models-file-providers.ts'
import { modelsFileSchema, unusedFields, type ModelsFile } from './models-file.ts'
import {
  isFullName,
  listConfiguredNames,
  listModelNames,
  listSelectableModels,
  createNameResolver,
  unreachableModelError,
  type NameResolution,
} from './model-names.ts'
import { isInstalled, packageHint } from './provider-packages.ts'
import type { AnswerOptions, Environment, Provider } from './provider.ts'
import { warnOnce } from './warn-once.ts'
import type { RetryPolicy } from './resilient-model.ts'

export type ModelsOptions = {
  /** The process environment; it is read nowhere else in this folder. */
  readonly env: Environment
  /** The model that overrides every agent's own: a short name, `provider/model`, `provider` or `offline`. */
  readonly override?: string | undefined
  /** Tokens a second that the demo model speaks; 0 is as fast as it can. */
  readonly offlinePace: number
  /** The content of models.yaml. */
  readonly file?: ModelsFile | undefined
  readonly limits?: ResponseLimits | undefined
  /** Gets a sentence for what is passed over in the answers of providers, once for each. */
  readonly warn?: ((problem: string) => void) | undefined
  /** Why saved keys cannot be opened. Where the demo model would stand in, calls fail with this sentence. */
  readonly closed?: string | undefined
}

/**
 * Finds the model for an agent.
 *
 * @example
 * const nameOf = (models: Models): string => models.choose({ primary: 'anthropic' }).name
 */
export interface Models {
  choose(preference: ModelPreference): ModelChoice
  /**
   * Checks a model name of a request. If this is absent, every name is accepted.
   * @throws ServiceError `invalid-request` that lists the available names
   */
  requireReachable?(name: string): void
  /**
   * The models that can be chosen for a conversation, by full name: the usual ones, and those that `names` names. If
   * this is absent, none.
   */
  selectable?(names?: readonly string[]): readonly string[]
}

/** Models as environment and models.yaml configure them. */
export interface ConfiguredModels extends Models {
  requireReachable(name: string): void
  selectable(names?: readonly string[]): readonly string[]
  /** The names of all models that the settings name. */
  configuredNames(): readonly string[]
  /** The configured providers by name, and the reason why each can or cannot be used. */
  providerReasons(): ReadonlyMap<string, { readonly isReachable: boolean; readonly reason: string }>
  /** What the providers say that they offer. Empty where one model answers everything. */
  readonly catalogue: ModelCatalogue
  /** A sentence for each part of models.yaml that has no effect. */
  readonly warnings: readonly string[]
  /** Resolves a model's name. */
  resolveName(name: string): NameResolution
  /** The reason why a model that an agent names can never answer: a clause that follows the name. */
  nameFault(name: string): string | undefined
  /** The reason why the model that would answer an agent cannot: a sentence that names it. */
  choiceFault(preference: ModelPreference): string | undefined
}

/** Whether the models know providers by name. Models that an application brings may not. */
export function isConfigured(models: Models): models is ConfiguredModels {
  return 'resolveName' in models
}

const EMPTY_FILE = modelsFileSchema.parse({})
const RETRIES = 3
const RETRY_DELAY_MS = 1000

/**
 * @throws ServiceError `invalid-request` for an override that cannot be followed, an unreadable address, or a
 * model without provider.
 */
export function createModels(options: ModelsOptions): ConfiguredModels {
  const { env, override, file = EMPTY_FILE, limits = DEFAULT_RESPONSE_LIMITS } = options
  const warn = warnOnce(options.warn)
  const providers = providersOf(file, env, { limits, warn })
  const resolveName = createNameResolver(providers, file, env)
  const candidates = createCandidateFinder({ ...options, file, limits, warn, providers, resolveName })
  return {
    choose(preference) {
      const [first, ...others] = candidates(preference)
      return createChoice(first, others, retryPolicyOf(file, preference))
    },
    requireReachable(name) {
      const resolution = resolveName(name)
      if (resolution === 'offline' || (resolution?.provider.reachable && resolution.modelId !== undefined))
        return
      throw unreachableModelError(resolution, listModelNames(providers, file, resolveName))
    },
    // An override answers whatever is chosen.
    selectable: (names = []) =>
      override?.trim() ? [] : listSelectableModels(providers, file, names.map(resolveName)),
    configuredNames: () => listConfiguredNames(providers, file, override),
    nameFault(name) {
      const resolution = resolveName(name)
      // It may be a model of a saved provider that cannot be opened.
      if (resolution === undefined) return options.closed === undefined ? UNKNOWN : undefined
      if (resolution === 'offline' || override?.trim()) return undefined
      const { provider } = resolution
      // A short name is a preference, which applies only if its provider is configured.
      const isNeeded = provider.reachable || isFullName(name, provider.name)
      return isNeeded && !isInstalled(provider.package) ? packageHint(provider.package) : undefined
    },
    choiceFault(preference) {
      for (const { name, package: packageName, why } of candidates(preference))
        if (packageName !== undefined && !isInstalled(packageName))
          return `${name} ${packageHint(packageName)} (${why})`
      return undefined
    },
    providerReasons: () =>
      new Map(
        providers.map(({ name, reachable, isUsableByDefault, reason }) => [
          name,
          { isReachable: reachable && isUsableByDefault, reason },
        ]),
      ),
    catalogue: createModelCatalogue(override?.trim() ? [] : providers),
    warnings: warningsOf(file, resolveName),
    resolveName,
  }
}

const UNKNOWN = 'is not a known model. Use PROVIDER/MODEL, sonnet, haiku, offline, or a model of models.yaml.'

/** Those of models.yaml before those of the environment. @throws ServiceError `invalid-request` */
function providersOf(file: ModelsFile, env: Environment, answers: AnswerOptions): Provider[] {
  const { providers: fromFile, ownerOf } = modelsFileProviders(file, env, answers)
  const builtIn = builtInProviders(env, ownerOf, answers).filter(
    ({ name }) => !fromFile.some((other) => other.name === name),
  )
  const providers = [...fromFile, ...builtIn].map((provider) => withModelSettings(provider, file))
  requireProviders(file, providers)
  return providers
}

/** Adds what models.yaml says of the provider's models. */
function withModelSettings(provider: Provider, { models }: ModelsFile): Provider {
  const own = Object.values(models).filter((model) => model.provider === provider.name)
  const settingsOf = <T>(read: (model: (typeof own)[number]) => T | undefined): ReadonlyMap<string, T> =>
    new Map(
      own.flatMap((model) => {
        const value = read(model)
        return value === undefined ? [] : [[model.model_name, value] as const]
      }),
    )
  return {
    ...provider,
    contextWindows: settingsOf((model) => model.context_window),
    tagSettings: settingsOf((model) => ({ names: model.reasoning_tags, isOpened: model.reasoning_opened })),
  }
}

function requireProviders(file: ModelsFile, providers: readonly Provider[]): void {
  for (const [id, { provider }] of Object.entries(file.models)) {
    if (providers.some(({ name }) => name === provider)) continue
    const names = providers.map(({ name }) => name).join(', ')
    throw new ServiceError(
      'invalid-request',
      `models.yaml: models.${id}.provider names no known provider: use one of ${names}.`,
    )
  }
}

function warningsOf(file: ModelsFile, resolveName: (name: string) => NameResolution): string[] {
  const choices: [field: string, names: readonly string[]][] = [['global_fallback', file.global_fallback]]
  for (const [task, { primary, fallback }] of Object.entries(file.defaults)) {
    choices.push([`defaults.${task}.primary`, [primary]], [`defaults.${task}.fallback`, fallback])
  }
  const unknown = choices.flatMap(([field, names]) =>
    names
      .filter((name) => resolveName(name) === undefined)
      .map((name) => `models.yaml: ${field} names "${name}", which is no known model.`),
  )
  return [...unusedFields(file).map((field) => `models.yaml: ${field} is not used.`), ...unknown]
}

/** How often a model is retried, and after which failures its fallback is called. */
function retryPolicyOf(
  { fallback_triggers: triggers }: ModelsFile,
  { retries, retryDelayMs }: Pick<ModelPreference, 'retries' | 'retryDelayMs'>,
): RetryPolicy {
  return {
    retries: retries ?? triggers.max_retries ?? RETRIES,
    retryDelayMs: retryDelayMs ?? RETRY_DELAY_MS,
    usesFallback({ code, details }) {
      if (code === 'rate-limited' || details['isQuotaUsedUp'] === true) return triggers.on_quota_exceeded
      return code === 'timed-out' ? triggers.timeout !== false : triggers.on_api_error
    },
  }
}
