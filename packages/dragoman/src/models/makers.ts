import { OFFICIAL, openaiApi, type Api } from './api.ts'
import type { Wish } from './llm-config.ts'
import type { ConfiguredModels } from './registry.ts'

/** A company that runs models, as a caller may mean it: by its name, by an address of its, or by what its models are called. */
export type Known = {
  readonly name: string
  /** Other words for it. */
  readonly also?: readonly string[]
  readonly api: Api
  readonly address: string
  /** Its hosts are these, and those below them. */
  readonly domains: readonly string[]
  readonly models?: RegExp
}

const KNOWN: readonly Known[] = [
  {
    name: 'anthropic',
    also: ['claude'],
    api: 'anthropic',
    address: OFFICIAL.anthropic,
    domains: ['anthropic.com'],
    models: /^claude/i,
  },
  {
    name: 'openai',
    api: 'responses',
    address: OFFICIAL.responses,
    domains: ['openai.com'],
    models: /^(?:gpt-(?!oss)|chatgpt|codex|o\d)/i,
  },
  {
    name: 'google',
    also: ['gemini'],
    api: 'google',
    address: OFFICIAL.google,
    domains: ['googleapis.com'],
    models: /^gemini/i,
  },
  { name: 'xai', also: ['grok'], ...chat('https://api.x.ai/v1', 'x.ai'), models: /^grok/i },
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

function chat(address: string, ...domains: readonly string[]): Pick<Known, 'api' | 'address' | 'domains'> {
  return { api: 'chat', address, domains }
}

export const knownNames: readonly string[] = KNOWN.map(({ name }) => name)

export function knownByName(said: string): Known | undefined {
  const name = said.toLowerCase()
  return KNOWN.find((known) => known.name === name || known.also?.includes(name))
}

function knownByModel(modelId: string | undefined): Known | undefined {
  if (modelId === undefined) return undefined
  return KNOWN.find(({ models }) => models?.test(modelId))
}

/** Which provider and model are meant: `openai:gpt-x`, a short name that the server has, or what a maker's models are called. */
export function namedIn(
  { provider, modelId }: Wish,
  meaning: ConfiguredModels['meaning'],
): Pick<Wish, 'provider' | 'modelId'> {
  if (provider !== undefined) return { provider: knownByName(provider)?.name ?? provider, modelId }
  const [, before = '', rest] = /^([^:]+):(.+)$/.exec(modelId ?? '') ?? []
  if (rest !== undefined && (knownByName(before) ?? meaning(before)))
    return { provider: knownByName(before)?.name ?? before, modelId: rest }
  const meant = modelId === undefined ? undefined : meaning(modelId)
  // OpenRouter's own names are written in the same way, and a caller's key for it must not go elsewhere.
  const isPath = meant && meant !== 'offline' && modelId?.startsWith(`${meant.provider.name}/`)
  if (meant && meant !== 'offline' && !isPath)
    return { provider: meant.provider.name, modelId: meant.modelId }
  return { provider: knownByModel(modelId)?.name, modelId }
}

/**
 * How whoever is at an address is spoken to. Many have several ways under one host, and say in the path which; at an unknown host it is
 * chat completions, that nearly all have, unless the caller names a maker that has a way of its own.
 */
export function spokenAt(
  baseUrl: URL,
  named: Known | undefined,
): { readonly name?: string; readonly api: Api } {
  const at = KNOWN.find(({ domains }) =>
    domains.some((domain) => baseUrl.hostname === domain || baseUrl.hostname.endsWith(`.${domain}`)),
  )
  const known = at ?? named
  const name = (named ?? at)?.name
  const api = (): Api => {
    if (/\/anthropic(?:\/v\d+)?\/?$/.test(baseUrl.pathname)) return 'anthropic'
    if (known?.api === 'responses') return openaiApi(baseUrl.href)
    // Google serves OpenAI's protocol too.
    if (known?.api === 'google' && /\/openai\/?$/.test(baseUrl.pathname)) return 'chat'
    return known?.api ?? 'chat'
  }
  return { ...(name !== undefined && { name }), api: api() }
}
