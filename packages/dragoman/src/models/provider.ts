import { loadModel, NAMESPACES, PACKAGES, withoutRedirects, type Address, type Api } from './api.ts'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import { bounded, type AnswerLimits } from './bounded.ts'

/** What the process was started with. */
export type Environment = Readonly<Record<string, string | undefined>>

/** A company or server that runs models, as far as this process may speak to it. */
export type Provider = {
  readonly name: string
  /** Whether it may be asked, and why so or why not, as a clause: `OPENAI_API_KEY is set`. */
  readonly reachable: boolean
  readonly because: string
  /** Its model where nobody has named one. */
  readonly defaultModel: string | undefined
  /** Whether it stands in for an agent's own models when none of them can be reached. */
  readonly mayStandIn: boolean
  /** What holds its key, for those who are told that it was refused. */
  readonly keyVariable: string
  /** The package that speaks to it, and the key under which that keeps what is the provider's own. */
  readonly package: string
  readonly namespace: string
  /** How long it may be silent; 0 is for ever. */
  readonly silenceMs: number
  /** Where it is and how it is spoken to, for one who comes with a key of their own. */
  readonly place: { readonly api: Api; readonly baseURL: string }
  /** Loads a model of its, once for each of its addresses, the usual one first. */
  readonly addresses: readonly ((modelId: string) => Promise<LanguageModelV4>)[]
  /** Its keys, to remove them from what it says. */
  readonly secrets: readonly string[]
  readonly limits: AnswerLimits
  /** Tokens that a model of its can read, by model id, where models.yaml or the caller says it. */
  readonly contextWindows?: ReadonlyMap<string, number>
}

/** What follows from a protocol and addresses. Each answer is within `limits`. */
export function spokenTo(
  api: Api,
  addresses: readonly Address[],
  limits: AnswerLimits,
): Pick<Provider, 'package' | 'namespace' | 'addresses' | 'secrets' | 'limits'> {
  return {
    package: PACKAGES[api],
    namespace: NAMESPACES[api],
    addresses: addresses.map((address) => {
      const send = bounded(address.fetch ?? withoutRedirects, limits)
      return (modelId: string) => loadModel(api, modelId, { ...address, fetch: send })
    }),
    secrets: addresses.flatMap(({ key, secrets = [] }) => [...(key === undefined ? [] : [key]), ...secrets]),
    limits,
  }
}

/** The trimmed value of a variable, or undefined where it is unset or blank. */
export function setting(env: Environment, variable: string): string | undefined {
  const value = env[variable]?.trim()
  return value === '' ? undefined : value
}
