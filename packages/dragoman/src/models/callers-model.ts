import { ServiceError } from '../errors.ts'
import type { Json } from '../events/index.ts'
import type { AnswerLimits } from './bounded.ts'
import { SILENCE_SECONDS } from './built-in.ts'
import { placeOf, type Place, type Reach } from './callers-place.ts'
import type { WantedModel } from './candidates.ts'
import { candidateOf, choiceOf } from './choice.ts'
import { hasKey, readWish, type Wish } from './llm-config.ts'
import { namedIn } from './makers.ts'
import { spokenTo, type Provider } from './provider.ts'
import { isConfigured, type ConfiguredModels, type Models } from './registry.ts'

type Settings = { readonly temperature?: number; readonly maxOutputTokens?: number }

/** Who answers one request. `models`: the caller's own, where they came with a key; else the server's answer. */
export type Answering<M> = { readonly models?: Models; readonly model: M & Settings }

/**
 * What a request's `llmConfig` comes to. A key of the caller's goes where the caller says, and no key of the server's goes there; what this
 * gives holds it, and nothing else does. @throws ServiceError `invalid-request`, `forbidden`, and `unauthorized` where there is no key
 */
export type CallersModels = <M extends WantedModel>(
  llmConfig: Json | undefined,
  usual: M,
  signal: AbortSignal,
) => Promise<Answering<M>>

/** What a model that we know nothing of may say in one step. */
const MOST_TOKENS = 8192
/** A failure is told: there is nobody to stand in. */
const PATIENCE = { retries: 2, retryDelayMs: 1000, movesOn: () => false }

type Server = { readonly models: Models; readonly reach: Reach; readonly limits: AnswerLimits }

export function callersModels({ models, reach, limits }: Server): CallersModels {
  const meaning: ConfiguredModels['meaning'] = isConfigured(models) ? models.meaning : () => undefined
  return async (llmConfig, usual, signal) => {
    const wish = readWish(llmConfig)
    const settings = {
      ...(wish.temperature !== undefined && { temperature: wish.temperature }),
      ...(wish.maxTokens !== undefined && { maxOutputTokens: wish.maxTokens }),
    }
    if (hasKey(wish) || wish.baseUrl !== undefined) {
      const place = await placeOf(wish, { meaning, reach }, signal)
      const name = `${place.name}:${place.modelId}`
      const model = { ...usual, maxOutputTokens: MOST_TOKENS, ...settings, primary: name, fallback: name }
      return { models: modelsAt(place, limits), model }
    }
    // Some gateways are told by a header where to send what they get, the key with it.
    if (Object.keys(wish.headers).length > 0)
      throw new ServiceError('invalid-request', 'llmConfig.headers go along with llmConfig.apiKey only.')
    const name = serversName(wish, models.choose(usual).name, meaning)
    return { model: { ...usual, ...settings, ...(name !== undefined && { primary: name, fallback: name }) } }
  }
}

/** One model, for whoever asks. */
function modelsAt({ name, modelId, api, address, contextWindow }: Place, limits: AnswerLimits): Models {
  const provider: Provider = {
    name,
    reachable: true,
    because: 'its caller has a key',
    defaultModel: undefined,
    mayStandIn: false,
    keyVariable: 'llmConfig.apiKey',
    silenceMs: SILENCE_SECONDS * 1000,
    place: { api, baseURL: address.baseURL },
    ...spokenTo(api, [address], limits),
    ...(contextWindow !== undefined && { contextWindows: new Map([[modelId, contextWindow]]) }),
  }
  const candidate = candidateOf(provider, modelId, 'Its caller asks for it.')
  return {
    choose() {
      if (candidate) return choiceOf(candidate, [], PATIENCE)
      throw new ServiceError('model-missing', 'The model has no address.')
    },
  }
}

/** What the server calls the model that is asked for. `usual` is who answers where none is. @throws ServiceError `unauthorized` where no key is for it */
function serversName(wish: Wish, usual: string, meaning: ConfiguredModels['meaning']): string | undefined {
  if (wish.provider === undefined && wish.modelId === undefined) return undefined
  if (wish.provider === 'offline' || wish.modelId === 'offline') return 'offline'
  const { provider = usual.split(':')[0] ?? usual, modelId } = namedIn(wish, meaning)
  const name = modelId === undefined ? provider : `${provider}:${modelId}`
  const meant = meaning(name)
  if (!meant || meant === 'offline' || !meant.provider.reachable)
    throw new ServiceError(
      'unauthorized',
      'There is no key for this model, neither in llmConfig.apiKey nor on this server.',
    )
  if (meant.modelId !== undefined) return name
  throw new ServiceError('invalid-request', 'llmConfig.model is required')
}
