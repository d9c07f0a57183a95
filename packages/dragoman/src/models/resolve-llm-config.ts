import { ServiceError } from '../errors.ts'
import type { Json } from '../events/index.ts'
import { DEFAULT_IDLE_TIMEOUT_SECONDS } from './built-in-providers.ts'
import { resolveTarget, type ModelTarget, type PublicNetwork } from './model-target.ts'
import type { ModelPreference } from './candidate-finder.ts'
import { createCandidate, createChoice } from './model-choice.ts'
import { hasKey, readLlmConfig, type LlmConfig } from './llm-config.ts'
import { resolveProvider } from './vendors.ts'
import { connectProvider, type AnswerOptions, type Provider } from './provider.ts'
import { isConfigured, type ConfiguredModels, type Models } from './create-models.ts'

type Settings = { readonly temperature?: number; readonly maxOutputTokens?: number }

/**
 * The models for one request. `models` are the caller's own, if the request has a key; otherwise the server's
 * answer.
 */
export type LlmConfigResult<M> = {
  readonly models?: Models
  readonly model: M & Settings
  /** Whether the owner pays all the same: the address is that of a provider of the owner's, which needs no key. */
  readonly isOwners?: boolean
}

/**
 * Resolves a request's `llmConfig`. A caller's key goes only to the caller's address, and no key of the server
 * goes there. Only the result contains the key.
 * `requireModel` checks a model that the owner of the server pays for.
 * @throws ServiceError `invalid-request`, `forbidden`, and `unauthorized` without a key
 */
export type LlmConfigResolver = <M extends ModelPreference>(
  llmConfig: Json | undefined,
  defaults: { readonly model: M; readonly requireModel: (name: string) => void },
  signal: AbortSignal,
) => Promise<LlmConfigResult<M>>

/** The maximum output of an unknown model in one step. */
const MAX_OUTPUT_TOKENS = 8192
/** There is no fallback: a failure is reported. */
const RETRY_POLICY = { retries: 2, retryDelayMs: 1000, usesFallback: () => false }

type ResolverOptions = {
  readonly models: Models
  readonly network: PublicNetwork
  readonly answers: AnswerOptions
}

export function createLlmConfigResolver({ models, network, answers }: ResolverOptions): LlmConfigResolver {
  const resolveName: ConfiguredModels['resolveName'] = isConfigured(models)
    ? models.resolveName
    : () => undefined
  return async (llmConfig, { model: defaultModel, requireModel }, signal) => {
    const config = readLlmConfig(llmConfig)
    const settings = {
      ...(config.temperature !== undefined && { temperature: config.temperature }),
      ...(config.maxTokens !== undefined && { maxOutputTokens: config.maxTokens }),
    }
    if (hasKey(config) || config.baseUrl !== undefined) {
      const target = await resolveTarget(config, { resolveName, network }, signal)
      const name = `${target.name}:${target.modelId}`
      if (target.isOwners) requireModel(name)
      const model = {
        ...defaultModel,
        maxOutputTokens: MAX_OUTPUT_TOKENS,
        ...settings,
        primary: name,
        fallback: name,
      }
      return { models: singleModel(target, answers), model, isOwners: target.isOwners === true }
    }
    // A header can make a gateway forward the request, and the server's key with it.
    if (Object.keys(config.headers).length > 0)
      throw new ServiceError('invalid-request', 'llmConfig.headers go along with llmConfig.apiKey only.')
    const name = configuredName(config, models.choose(defaultModel).name, resolveName)
    if (name !== undefined) requireModel(name)
    const requested = name !== undefined && { primary: name, fallback: name, isRequested: true }
    return { model: { ...defaultModel, ...settings, ...requested } }
  }
}

/** Models with one model for every preference. */
function singleModel(
  { name, modelId, api, address, contextWindow }: ModelTarget,
  answers: AnswerOptions,
): Models {
  const provider: Provider = {
    name,
    reachable: true,
    reason: 'its caller has a key',
    defaultModel: undefined,
    isUsableByDefault: false,
    keyVariable: 'llmConfig.apiKey',
    idleTimeoutMs: DEFAULT_IDLE_TIMEOUT_SECONDS * 1000,
    endpoint: { api, baseURL: address.baseURL },
    ...connectProvider(api, [address], answers),
    ...(contextWindow !== undefined && { contextWindows: new Map([[modelId, contextWindow]]) }),
  }
  const candidate = createCandidate(provider, modelId, 'Its caller asks for it.')
  return {
    choose() {
      if (candidate) return createChoice(candidate, [], RETRY_POLICY)
      throw new ServiceError('model-missing', 'The model has no address.')
    },
  }
}

/**
 * The configured name of the requested model. `defaultModel` answers if none is requested.
 * @throws ServiceError `unauthorized` if the server has no key for it
 */
function configuredName(
  config: LlmConfig,
  defaultModel: string,
  resolveName: ConfiguredModels['resolveName'],
): string | undefined {
  if (config.provider === undefined && config.modelId === undefined) return undefined
  if (config.provider === 'offline' || config.modelId === 'offline') return 'offline'
  const { provider = defaultModel.split(':')[0] ?? defaultModel, modelId } = resolveProvider(
    config,
    resolveName,
  )
  const name = modelId === undefined ? provider : `${provider}:${modelId}`
  const resolution = resolveName(name)
  if (!resolution || resolution === 'offline' || !resolution.provider.reachable)
    throw new ServiceError(
      'unauthorized',
      'There is no key for this model, neither in llmConfig.apiKey nor on this server.',
    )
  if (resolution.modelId !== undefined) return name
  throw new ServiceError('invalid-request', 'llmConfig.model is required')
}
