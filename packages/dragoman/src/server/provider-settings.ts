import { ServiceError } from '../errors.ts'
import {
  builtInVariables,
  customVariables,
  customVariablesIn,
  type ConfiguredModels,
  type ModelList,
  type ProviderVariables,
} from '../models/index.ts'
import type { Variables } from './saved-variables.ts'
import type { ProviderChanges } from './surfaces/index.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The variables of a provider. A new one needs an address.
 * @throws ServiceError `not-found`
 */
export function findProvider(name: string, env: Environment, baseUrl?: string): ProviderVariables {
  const all = [...builtInVariables, ...customVariablesIn(env)]
  const added = baseUrl ? customVariables(name) : undefined
  const provider = all.find((each) => each.name === name) ?? added
  if (provider) return provider
  const names = all.map((each) => each.name).join(', ')
  throw new ServiceError(
    'not-found',
    `There is no provider of that name: use one of ${names}. For another one, give a name of small letters, ` +
      'digits and hyphens, and baseUrl.',
  )
}

/** Whether the environment decides what a variable of a provider would. */
export function isDecided(variable: string, env: Environment): boolean {
  const provider = builtInVariables.find((each) => variablesOf(each).includes(variable))
  return env[variable] !== undefined || (provider !== undefined && Boolean(env[provider.key]?.trim()))
}

export function variablesOf({ key, model, url }: ProviderVariables): readonly string[] {
  return [key, model, url]
}

/**
 * What is to be saved for a provider: what is given, and else what is saved already.
 * @throws ServiceError `invalid-request`
 */
export function valuesOf(
  { key, model, url, local, isCustom }: ProviderVariables,
  changes: ProviderChanges,
  { env, before }: { readonly env: Environment; readonly before: Variables },
): Variables {
  for (const [variable, given] of [
    [key, changes.apiKey ?? changes.model],
    [url, changes.baseUrl],
  ] as const)
    if (given !== undefined && env[variable] !== undefined)
      throw new ServiceError(
        'invalid-request',
        `${variable} is set in the server's environment, which decides.`,
      )
  const savedModel = changes.model ?? before[model]
  const savedUrl = changes.baseUrl ?? before[url] ?? (local && (env[url] ?? local))
  const keyless = isCustom ? 'none' : undefined
  // A saved key goes to no other address.
  const isMoved = changes.baseUrl !== undefined && changes.baseUrl !== (before[url] ?? '')
  if (isCustom && !savedUrl && env[url] === undefined)
    throw new ServiceError('invalid-request', 'baseUrl is required')
  const savedKey = changes.apiKey ?? (isMoved ? undefined : before[key]) ?? keyless
  if (savedKey === undefined && local === undefined)
    throw new ServiceError('invalid-request', 'apiKey is required')
  if (local !== undefined && savedModel === undefined)
    throw new ServiceError('invalid-request', 'model is required')
  return {
    ...(savedKey !== undefined && { [key]: savedKey }),
    ...(savedModel !== undefined && { [model]: savedModel }),
    ...(savedUrl && { [url]: savedUrl }),
  }
}

/**
 * Calls a provider with what is to be saved. A custom one without a model gets the first that it lists.
 * @throws ServiceError `invalid-request` if it refuses the key, or does not answer at the address that is given
 */
export async function tryOut(
  { name, model, isCustom }: ProviderVariables,
  models: ConfiguredModels,
  { apiKey, baseUrl, model: named }: ProviderChanges,
): Promise<Variables> {
  const list = await models.catalogue.listOf(name)
  if (!list) return {}
  if ('problem' in list) {
    const field = list.kind === 'refused' && apiKey !== undefined ? 'apiKey' : 'baseUrl'
    const isWrong = list.kind === 'refused' || (list.kind === 'away' && Boolean(baseUrl))
    if (isWrong) throw new ServiceError('invalid-request', `${field}: ${list.problem}`)
  }
  if (!isCustom || named !== undefined) return {}
  const [first] = 'models' in list ? list.models : []
  const isChosen = models.resolveName(name)
  if (typeof isChosen === 'object' && isChosen.modelId !== undefined) return {}
  if (first === undefined)
    throw new ServiceError('invalid-request', 'model is required: the address lists no models.')
  return { [model]: first }
}

/** What a provider offers, or why it says nothing. One that refuses its key is not ready. */
export function offerOf(list: ModelList | undefined, isReachable: boolean) {
  if (list && 'models' in list) return { ready: isReachable, models: list.models }
  const isRefused = list?.kind === 'refused'
  // A program that does not run has no problem, nor has a host without a list.
  const hasProblem = isReachable && (isRefused || list?.kind === 'away')
  return { ready: isReachable && !isRefused, ...(hasProblem && { problem: list.problem }) }
}
