import {
  loadLanguageModel,
  METADATA_NAMESPACES,
  PROVIDER_PACKAGES,
  fetchWithoutRedirects,
  type ProviderAddress,
  type ProviderApi,
} from './provider-api.ts'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import { scrub } from '../scrub/index.ts'
import { createRepair, repairEvents } from './event-stream/index.ts'
import { applyRemedies, usualRemedies } from './remedies.ts'
import type { Remedies } from './remedy.ts'
import type { TagSettings } from './thought-tags.ts'
import { limitResponses, type ResponseLimits } from './limit-responses.ts'

/** The environment of the process. */
export type Environment = Readonly<Record<string, string | undefined>>

/** A company or a server that runs models, with what this process may use of it. */
export type Provider = {
  readonly name: string
  /** Whether the provider can be used, and the reason as a clause: `OPENAI_API_KEY is set`. */
  readonly reachable: boolean
  readonly reason: string
  /** The default model. */
  readonly defaultModel: string | undefined
  /** Whether it answers if none of an agent's own models can be used. */
  readonly isUsableByDefault: boolean
  /** The variable of its key, for the error of a refused key. */
  readonly keyVariable: string
  /** The provider's package, and its key in provider metadata. */
  readonly package: string
  readonly namespace: string
  /** The idle timeout; 0: none. */
  readonly idleTimeoutMs: number
  /** The provider's API and address, for callers with a key of their own. */
  readonly endpoint: { readonly api: ProviderApi; readonly baseURL: string }
  /** Its addresses, the usual one first. */
  readonly loaders: readonly ((modelId: string) => ModelLoader)[]
  /** Its keys, which are removed from its error messages. */
  readonly secrets: readonly string[]
  readonly limits: ResponseLimits
  /** Gets a sentence for what is passed over in an answer. */
  readonly warn: (problem: string) => void
  /** The tags of thoughts in the text of a model, by model id, from models.yaml. */
  readonly tagSettings?: ReadonlyMap<string, TagSettings>
  /** Context windows by model id, from models.yaml or the caller. */
  readonly contextWindows?: ReadonlyMap<string, number>
}

/** A model at one address, and what it needs: it is learned from its refusals. */
export type ModelLoader = { readonly remedies: Remedies; readonly load: () => Promise<LanguageModelV4> }

/** What holds for the answers of all providers. */
export type AnswerOptions = Pick<Provider, 'limits' | 'warn'>

/** Builds the fields that depend on API and addresses. */
export function connectProvider(
  api: ProviderApi,
  addresses: readonly ProviderAddress[],
  { limits, warn }: AnswerOptions,
): Pick<Provider, 'package' | 'namespace' | 'loaders' | 'secrets' | 'limits' | 'warn'> {
  return {
    package: PROVIDER_PACKAGES[api],
    namespace: METADATA_NAMESPACES[api],
    loaders: addresses.map((address) => {
      const limited = limitResponses(address.fetch ?? fetchWithoutRedirects, limits)
      const { host } = new URL(address.baseURL)
      const send = repairStreams(limited, api, (what) =>
        warn(`The model provider at ${host} sent ${scrub(what, { maxCharacters: 100 })}.`),
      )
      const remediesOf = rememberRemedies((modelId) => usualRemedies(api, address.baseURL, modelId))
      return (modelId: string) => {
        const remedies = remediesOf(modelId)
        const own = { ...address, fetch: applyRemedies(send, remedies) }
        return { remedies, load: () => loadLanguageModel(api, modelId, own) }
      }
    }),
    secrets: addresses.flatMap(({ key, secrets = [] }) => [...(key === undefined ? [] : [key]), ...secrets]),
    limits,
    warn,
  }
}

/** Callers may name any models. */
const MAX_MODELS = 1000

function rememberRemedies(create: (modelId: string) => Remedies): (modelId: string) => Remedies {
  const all = new Map<string, Remedies>()
  return (modelId) => {
    const remedies = all.get(modelId) ?? create(modelId)
    if (all.size >= MAX_MODELS) all.clear()
    all.set(modelId, remedies)
    return remedies
  }
}

/** Whatever type the answer has: servers err about it. */
function asksForStream(url: Parameters<typeof fetch>[0], options: RequestInit = {}): boolean {
  const isInBody = typeof options.body === 'string' && options.body.includes('"stream":true')
  return isInBody || (typeof url === 'string' && url.includes(':streamGenerateContent'))
}

function repairStreams(
  send: typeof fetch,
  api: ProviderApi,
  onPassOver: (what: string) => void,
): typeof fetch {
  return async (url, options) => {
    const answer = await send(url, options)
    if (!answer.ok || !answer.body || !asksForStream(url, options)) return answer
    return new Response(answer.body.pipeThrough(repairEvents(createRepair(api), api, onPassOver)), answer)
  }
}

/** The trimmed value of a variable; undefined if it is unset or blank. */
export function readVariable(env: Environment, variable: string): string | undefined {
  const value = env[variable]?.trim()
  return value === '' ? undefined : value
}
