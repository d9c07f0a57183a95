import { OFFICIAL_BASE_URLS, openaiApi, type ProviderAddress, type ProviderApi } from './provider-api.ts'
import { readBaseUrl } from './base-url.ts'
import { mayReceivePrompts, readKey } from './provider-key.ts'
import {
  readVariable,
  connectProvider,
  type AnswerOptions,
  type Environment,
  type Provider,
} from './provider.ts'

/** The newest Sonnet among the model ids in the typings of `@ai-sdk/anthropic` 4.0.105. */
const NEWEST_SONNET = 'claude-sonnet-5-5'
/** The newest Haiku there. */
const NEWEST_HAIKU = 'claude-haiku-5-5'

/** Seconds without output after which a provider times out by default. */
export const DEFAULT_IDLE_TIMEOUT_SECONDS = 180

type BuiltInProvider = {
  readonly name: string
  /**
   * Key and address are read as a pair, `<family>_API_KEY` and `<family>_BASE_URL`, so a key never goes to
   * another family's address.
   */
  readonly families: readonly [string, ...string[]]
  readonly address: string
  readonly api: (baseURL: string) => ProviderApi
  readonly modelVariable: string
  readonly model: string | undefined
  /** Needs no variable, and is called only if an agent names it. */
  readonly isLocal?: true
}

const BUILT_IN_PROVIDERS: readonly BuiltInProvider[] = [
  {
    name: 'anthropic',
    families: ['ANTHROPIC', 'CLAUDE'],
    address: OFFICIAL_BASE_URLS.anthropic,
    api: () => 'anthropic',
    modelVariable: 'CLAUDE_MODEL',
    model: NEWEST_SONNET,
  },
  {
    name: 'openai',
    families: ['OPENAI'],
    address: OFFICIAL_BASE_URLS.responses,
    api: openaiApi,
    modelVariable: 'OPENAI_MODEL',
    // The model that the documentation of `@ai-sdk/openai` 4.0.118 uses throughout; it is in its typings too.
    model: 'gpt-6-astra',
  },
  {
    name: 'google',
    families: ['GOOGLE', 'GEMINI', 'GOOGLE_GENERATIVE_AI'],
    address: OFFICIAL_BASE_URLS.google,
    api: () => 'google',
    modelVariable: 'GOOGLE_MODEL',
    // Google's own name for the newest of its models that every key may use.
    model: 'gemini-flash-latest',
  },
  {
    name: 'openrouter',
    families: ['OPENROUTER'],
    address: 'https://openrouter.ai/api/v1',
    api: () => 'chat',
    modelVariable: 'OPENROUTER_MODEL',
    // OpenRouter's own name for a model of its choice.
    model: 'openrouter/auto',
  },
  {
    name: 'ollama',
    families: ['OLLAMA'],
    address: 'http://127.0.0.1:11434/v1',
    api: () => 'chat',
    modelVariable: 'OLLAMA_MODEL',
    // Only the owner knows which models have been pulled.
    model: undefined,
    isLocal: true,
  },
  {
    name: 'lmstudio',
    families: ['LMSTUDIO'],
    address: 'http://127.0.0.1:1234/v1',
    api: () => 'chat',
    modelVariable: 'LMSTUDIO_MODEL',
    model: undefined,
    isLocal: true,
  },
]

/** The variables that configure a provider. */
export type ProviderVariables = {
  readonly name: string
  readonly key: string
  readonly url: string
  readonly model: string
  /** The usual address of a program on this machine, which needs no key. */
  readonly local?: string
  /** Speaks OpenAI's chat completions at an address that the owner names. */
  readonly isCustom?: true
}

/** What a key can be saved for: the providers that variables alone configure. */
export const builtInVariables: readonly ProviderVariables[] = BUILT_IN_PROVIDERS.map(
  ({ name, families: [family], modelVariable, address, isLocal }) => ({
    name,
    key: `${family}_API_KEY`,
    url: `${family}_BASE_URL`,
    model: modelVariable,
    ...(isLocal && { local: address }),
  }),
)

/** `CUSTOM_<NAME>_BASE_URL` is the address of a provider of that name. */
const CUSTOM = /^CUSTOM_([A-Z][A-Z0-9_]{0,30})_BASE_URL$/
const CUSTOM_NAME = /^[a-z][a-z0-9-]{0,30}$/

/** The variables of a provider that the owner names. Undefined if the name cannot be one. */
export function customVariables(name: string): ProviderVariables | undefined {
  if (!CUSTOM_NAME.test(name) || name === 'offline' || BUILT_IN_PROVIDERS.some((each) => each.name === name))
    return undefined
  const family = `CUSTOM_${name.toUpperCase().replaceAll('-', '_')}`
  return {
    name,
    key: `${family}_API_KEY`,
    url: `${family}_BASE_URL`,
    model: `${family}_MODEL`,
    isCustom: true,
  }
}

/** The variables of all such providers of an environment. */
export function customVariablesIn(env: Environment): ProviderVariables[] {
  return Object.keys(env).flatMap((variable) => {
    const [, family] = CUSTOM.exec(variable) ?? []
    const isSet = readVariable(env, variable) !== undefined
    return (isSet && family && customVariables(family.toLowerCase().replaceAll('_', '-'))) || []
  })
}

function customProviders(env: Environment): BuiltInProvider[] {
  return customVariablesIn(env).map(({ name, url, model }) => ({
    name,
    families: [url.slice(0, -'_BASE_URL'.length)],
    address: readVariable(env, url) ?? '',
    api: () => 'chat',
    modelVariable: model,
    model: undefined,
  }))
}

/** The short names that agents use for Claude models. */
export function claudeAliases(env: Environment): ReadonlyMap<string, string> {
  return new Map([
    ['sonnet', readVariable(env, 'CLAUDE_MODEL') ?? NEWEST_SONNET],
    ['haiku', NEWEST_HAIKU],
  ])
}

/** Returns the provider of models.yaml that has a variable's key for another address than this one. */
export type KeyOwner = (variable: string, baseURL: string) => string | undefined

/**
 * The providers that the environment alone can configure. @throws ServiceError `invalid-request` for an
 * unreadable base URL.
 */
export function builtInProviders(env: Environment, ownerOf: KeyOwner, answers: AnswerOptions): Provider[] {
  return [...BUILT_IN_PROVIDERS, ...customProviders(env)].map((provider) =>
    providerOf(provider, env, ownerOf, answers),
  )
}

function providerOf(
  builtIn: BuiltInProvider,
  env: Environment,
  ownerOf: KeyOwner,
  answers: AnswerOptions,
): Provider {
  const { name, families, isLocal = false } = builtIn
  const pairs = families.flatMap((family) => readPair(builtIn, family, { env, ownerOf }) ?? [])
  const pair = pairs.find(({ problem }) => problem === undefined)
  const baseURL = pair?.baseURL ?? builtIn.address
  const defaultModel = readVariable(env, builtIn.modelVariable) ?? builtIn.model
  const [keyVariable, ...otherKeys] = families.map((family) => `${family}_API_KEY`)
  const missing = pairs[0]?.problem ?? `neither ${keyVariable} nor ${families[0]}_BASE_URL is set`
  return {
    name,
    reachable: pair !== undefined || isLocal,
    reason: pair?.reason ?? (isLocal ? 'it needs no key' : missing),
    defaultModel,
    isUsableByDefault: pair !== undefined && defaultModel !== undefined,
    keyVariable: otherKeys.length > 0 ? `${keyVariable} (or ${otherKeys.join(', ')})` : String(keyVariable),
    idleTimeoutMs: DEFAULT_IDLE_TIMEOUT_SECONDS * 1000,
    endpoint: { api: builtIn.api(baseURL), baseURL },
    ...connectProvider(builtIn.api(baseURL), [{ baseURL, key: pair?.key }], answers),
  }
}

/** `problem`: why the pair is not used. */
type KeyAndAddress = ProviderAddress & { readonly reason: string; readonly problem: string | undefined }
type PairContext = { readonly env: Environment; readonly ownerOf: KeyOwner }

/** Undefined if neither variable of the pair is set. */
function readPair(
  builtIn: BuiltInProvider,
  family: string,
  { env, ownerOf }: PairContext,
): KeyAndAddress | undefined {
  const keyVariable = `${family}_API_KEY`
  const urlVariable = `${family}_BASE_URL`
  const { key, isKeyless } = readKey(readVariable(env, keyVariable))
  // Who names Ollama's address knows that it has no key.
  const setting = { key, isKeyless: isKeyless || builtIn.isLocal === true }
  const url = readVariable(env, urlVariable)
  if (key === undefined && url === undefined) return undefined

  const usualVersion = builtIn.address.endsWith('/v1beta') ? 'v1beta' : 'v1'
  const baseURL = url === undefined ? builtIn.address : readBaseUrl(url, urlVariable, usualVersion)
  const owner = ownerOf(keyVariable, baseURL)
  const keyProblem = mayReceivePrompts(setting, baseURL)
    ? undefined
    : `${urlVariable} is set without ${keyVariable} (${keyVariable}=none if that host needs no key)`
  return {
    key,
    baseURL,
    reason: `${key === undefined ? urlVariable : keyVariable} is set`,
    problem: owner === undefined ? keyProblem : `${keyVariable} is for ${owner} of models.yaml`,
  }
}
