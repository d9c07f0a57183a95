import type { LanguageModelV4 } from '@ai-sdk/provider'

/** What the process was started with. */
export type Environment = Readonly<Record<string, string | undefined>>

/** A company or server that runs models, as far as this process may speak to it. */
export interface Provider {
  readonly name: 'anthropic' | 'openai'
  /** The variables of which one must be set. */
  readonly variables: readonly [key: string, baseUrl: string]
  /** Which of them is set, or undefined: nothing is configured, do not call `load`. */
  readonly configuredBy: string | undefined
  /** Its model where nobody has named one. */
  readonly defaultModel: string
  load(modelId: string): Promise<LanguageModelV4>
}

/**
 * Key and address that belong together. A key is never sent to the address of another family of variables,
 * so these are read as a pair or not at all.
 */
export type Access = {
  readonly configuredBy: string
  readonly key: string | undefined
  readonly baseUrl: { readonly text: string; readonly variable: string } | undefined
}

/** Reads `<prefix>_API_KEY` and `<prefix>_BASE_URL`; undefined when neither says anything. An empty value says nothing. */
export function readAccess(env: Environment, prefix: string): Access | undefined {
  const keyVariable = `${prefix}_API_KEY`
  const baseUrlVariable = `${prefix}_BASE_URL`
  const key = setting(env, keyVariable)
  const address = setting(env, baseUrlVariable)
  if (key === undefined && address === undefined) return undefined

  return {
    configuredBy: key === undefined ? baseUrlVariable : keyVariable,
    key,
    baseUrl: address === undefined ? undefined : { text: address, variable: baseUrlVariable },
  }
}

/** The trimmed value of a variable, or undefined where it is unset or blank. */
export function setting(env: Environment, variable: string): string | undefined {
  const value = env[variable]?.trim()
  return value === '' ? undefined : value
}
