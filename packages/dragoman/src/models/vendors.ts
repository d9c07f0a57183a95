import { OFFICIAL_BASE_URLS, openaiApi, type ProviderApi } from './provider-api.ts'
import type { LlmConfig } from './llm-config.ts'
import type { ConfiguredModels } from './create-models.ts'

/** A company that runs models. A caller may identify it by name, by address, or by the names of its models. */
export type Vendor = {
  readonly name: string
  /** Other names for it. */
  readonly aliases?: readonly string[]
  readonly api: ProviderApi
  readonly address: string
  /** Its hosts are these, and those below them. */
  readonly domains: readonly string[]
  readonly models?: RegExp
}

const VENDORS: readonly Vendor[] = [
  {
    name: 'anthropic',
    aliases: ['claude'],
    api: 'anthropic',
    address: OFFICIAL_BASE_URLS.anthropic,
    domains: ['anthropic.com'],
    models: /^claude/i,
  },
  {
    name: 'openai',
    api: 'responses',
    address: OFFICIAL_BASE_URLS.responses,
    domains: ['openai.com'],
    models: /^(?:gpt-(?!oss)|chatgpt|codex|o\d)/i,
  },
  {
    name: 'google',
    aliases: ['gemini'],
    api: 'google',
    address: OFFICIAL_BASE_URLS.google,
    domains: ['googleapis.com'],
    models: /^gemini/i,
  },
  { name: 'xai', aliases: ['grok'], ...chat('https://api.x.ai/v1', 'x.ai'), models: /^grok/i },
  { name: 'deepseek', ...chat('https://api.deepseek.com/v1', 'deepseek.com'), models: /^deepseek-/i },
  {
    name: 'mistral',
    ...chat('https://api.mistral.ai/v1', 'mistral.ai'),
    models: /^(?:mistral|ministral|magistral|codestral|devstral|pixtral)-/i,
  },
  {
    name: 'minimax',
    ...chat('https://api.minimax.io/v1', 'minimax.io', 'minimaxi.com', 'minimax.chat'),
    models: /^(?:minimax|abab)/i,
  },
  { name: 'groq', ...chat('https://api.groq.com/openai/v1', 'groq.com') },
  { name: 'cerebras', ...chat('https://api.cerebras.ai/v1', 'cerebras.ai') },
  // Its models have their makers' names before their own.
  {
    name: 'openrouter',
    ...chat('https://openrouter.ai/api/v1', 'openrouter.ai'),
    models: /^[\w-]+\/[\w.:-]+$/,
  },
]

function chat(address: string, ...domains: readonly string[]): Pick<Vendor, 'api' | 'address' | 'domains'> {
  return { api: 'chat', address, domains }
}

export const vendorNames: readonly string[] = VENDORS.map(({ name }) => name)

export function findVendor(text: string): Vendor | undefined {
  const name = text.toLowerCase()
  return VENDORS.find((vendor) => vendor.name === name || vendor.aliases?.includes(name))
}

function findVendorOfModel(modelId: string | undefined): Vendor | undefined {
  if (modelId === undefined) return undefined
  return VENDORS.find(({ models }) => models?.test(modelId))
}

/** The provider and model of a request: `openai:gpt-x`, a short name of the server, or a vendor's model name. */
export function resolveProvider(
  { provider, modelId }: LlmConfig,
  resolveName: ConfiguredModels['resolveName'],
): Pick<LlmConfig, 'provider' | 'modelId'> {
  if (provider !== undefined) return { provider: findVendor(provider)?.name ?? provider, modelId }
  const [, prefix = '', rest] = /^([^:]+):(.+)$/.exec(modelId ?? '') ?? []
  if (rest !== undefined && (findVendor(prefix) ?? resolveName(prefix)))
    return { provider: findVendor(prefix)?.name ?? prefix, modelId: rest }
  const resolution = modelId === undefined ? undefined : resolveName(modelId)
  // OpenRouter's own names are written in the same way, and a caller's key for it must not go elsewhere.
  const isPath = resolution && resolution !== 'offline' && modelId?.startsWith(`${resolution.provider.name}/`)
  if (resolution && resolution !== 'offline' && !isPath)
    return { provider: resolution.provider.name, modelId: resolution.modelId }
  return { provider: findVendorOfModel(modelId)?.name, modelId }
}

/**
 * Detects the API at an address. Many hosts offer several, by path. An unknown host gets chat completions, which
 * nearly all support, unless the caller names a vendor with its own API.
 */
export function detectApi(
  baseUrl: URL,
  requested: Vendor | undefined,
): { readonly name?: string; readonly api: ProviderApi } {
  const byHost = VENDORS.find(({ domains }) =>
    domains.some((domain) => baseUrl.hostname === domain || baseUrl.hostname.endsWith(`.${domain}`)),
  )
  const vendor = byHost ?? requested
  const name = (requested ?? byHost)?.name
  const api = (): ProviderApi => {
    if (/\/anthropic(?:\/v\d+)?\/?$/.test(baseUrl.pathname)) return 'anthropic'
    if (vendor?.api === 'responses') return openaiApi(baseUrl.href)
    // Google serves OpenAI's protocol too.
    if (vendor?.api === 'google' && /\/openai\/?$/.test(baseUrl.pathname)) return 'chat'
    return vendor?.api ?? 'chat'
  }
  return { ...(name !== undefined && { name }), api: api() }
}
