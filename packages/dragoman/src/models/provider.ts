import {
  loadLanguageModel,
  METADATA_NAMESPACES,
  PROVIDER_PACKAGES,
  fetchWithoutRedirects,
  type ProviderAddress,
  type ProviderApi,
} from './provider-api.ts'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import { limitResponses, type ResponseLimits } from './limit-responses.ts'

/** What the process was started with. */
export type Environment = Readonly<Record<string, string | undefined>>

/** A company or server that runs models, as far as this process may speak to it. */
export type Provider = {
  readonly name: string
  /** Whether it may be asked, and why so or why not, as a clause: `OPENAI_API_KEY is set`. */
  readonly reachable: boolean
  readonly reason: string
  /** Its model where nobody has named one. */
  readonly defaultModel: string | undefined
  /** Whether it stands in for an agent's own models when none of them can be reached. */
  readonly isUsableByDefault: boolean
  /** What holds its key, for those who are told that it was refused. */
  readonly keyVariable: string
  /** The package that speaks to it, and the key under which that keeps what is the provider's own. */
  readonly package: string
  readonly namespace: string
  /** How long it may be silent; 0 is for ever. */
  readonly idleTimeoutMs: number
  /** Where it is and how it is spoken to, for one who comes with a key of their own. */
  readonly endpoint: { readonly api: ProviderApi; readonly baseURL: string }
  /** Loads a model of its, once for each of its addresses, the usual one first. */
  readonly loaders: readonly ((modelId: string) => Promise<LanguageModelV4>)[]
  /** Its keys, to remove them from what it says. */
  readonly secrets: readonly string[]
  readonly limits: ResponseLimits
  /** Tokens that a model of its can read, by model id, where models.yaml or the caller says it. */
  readonly contextWindows?: ReadonlyMap<string, number>
}

/** What follows from a protocol and addresses. Each answer is within `limits`. */
export function connectProvider(
  api: ProviderApi,
  addresses: readonly ProviderAddress[],
  limits: ResponseLimits,
): Pick<Provider, 'package' | 'namespace' | 'loaders' | 'secrets' | 'limits'> {
  return {
    package: PROVIDER_PACKAGES[api],
    namespace: METADATA_NAMESPACES[api],
    loaders: addresses.map((address) => {
      const send = limitResponses(address.fetch ?? fetchWithoutRedirects, limits)
      return (modelId: string) => loadLanguageModel(api, modelId, { ...address, fetch: send })
    }),
    secrets: addresses.flatMap(({ key, secrets = [] }) => [...(key === undefined ? [] : [key]), ...secrets]),
    limits,
  }
}

/** The trimmed value of a variable, or undefined where it is unset or blank. */
export function readVariable(env: Environment, variable: string): string | undefined {
  const value = env[variable]?.trim()
  return value === '' ? undefined : value
}
