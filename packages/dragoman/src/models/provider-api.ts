import type { LanguageModelV4 } from '@ai-sdk/provider'

import { ServiceError } from '../errors.ts'
import { isInstalled, packageHint } from './provider-packages.ts'
import { splitBody } from './split-body.ts'

/**
 * The API of a provider: Claude's messages, Gemini's, OpenAI's chat completions (which most servers support), or
 * its newer responses.
 */
export type ProviderApi = 'anthropic' | 'google' | 'chat' | 'responses'

/** The address of each API's vendor. */
export const OFFICIAL_BASE_URLS: Readonly<Record<ProviderApi, string>> = {
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  chat: 'https://api.openai.com/v1',
  responses: 'https://api.openai.com/v1',
}

/** The package for each API. It is loaded at first use, and is optional. */
export const PROVIDER_PACKAGES: Readonly<Record<ProviderApi, string>> = {
  anthropic: '@ai-sdk/anthropic',
  google: '@ai-sdk/google',
  chat: '@ai-sdk/openai-compatible',
  responses: '@ai-sdk/openai',
}

/** The key of provider metadata (signatures, item ids) in each package. */
export const METADATA_NAMESPACES: Readonly<Record<ProviderApi, string>> = {
  anthropic: 'anthropic',
  google: 'google',
  chat: 'openai',
  responses: 'openai',
}

/** Ollama, vLLM and most gateways have no `/responses`, so only the official host gets that API. */
export function openaiApi(baseUrl: string): ProviderApi {
  return URL.parse(baseUrl)?.origin === new URL(OFFICIAL_BASE_URLS.responses).origin ? 'responses' : 'chat'
}

/** A provider's address, and the key that goes only there. `fetch` replaces the usual way to send requests. */
export type ProviderAddress = {
  readonly baseURL: string
  readonly key: string | undefined
  readonly fetch?: typeof fetch
  /** Other parts of a request that must not be repeated, such as a key in a header. */
  readonly secrets?: readonly string[]
}

/**
 * Loads a provider's package at its first use. Address and key are always set, because the package would otherwise
 * read them from process.env.
 */
export async function loadLanguageModel(
  api: ProviderApi,
  modelId: string,
  { baseURL, key, fetch: send }: ProviderAddress & Required<Pick<ProviderAddress, 'fetch'>>,
): Promise<LanguageModelV4> {
  // Some packages insist on a key, even for a gateway that wants none.
  const settings = { baseURL, apiKey: key ?? 'none', fetch: send }
  if (!isInstalled(PROVIDER_PACKAGES[api]))
    throw new ServiceError('model-missing', `The model ${modelId} ${packageHint(PROVIDER_PACKAGES[api])}`)
  switch (api) {
    case 'anthropic':
      return (await import('@ai-sdk/anthropic')).createAnthropic(settings)(modelId)
    case 'google':
      return (await import('@ai-sdk/google')).createGoogle(settings)(modelId)
    case 'responses':
      return (await import('@ai-sdk/openai')).createOpenAI(settings).responses(modelId)
    case 'chat': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      const { apiKey, ...keyless } = settings
      const provider = createOpenAICompatible({
        ...keyless,
        ...(key !== undefined && { apiKey }),
        name: METADATA_NAMESPACES.chat,
        includeUsage: true,
      })
      return provider.chatModel(modelId)
    }
  }
}

/** A key goes only to its configured address: `fetch` would send `x-api-key` to the target of a redirect. */
export const fetchWithoutRedirects: typeof fetch = async (url, options) =>
  fetch(url, {
    ...options,
    ...(options?.body && { body: await splitBody(options.body) }),
    redirect: 'manual',
  })
