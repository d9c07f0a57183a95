import type { LanguageModelV4 } from '@ai-sdk/provider'

import { readBaseUrl } from './base-url.ts'
import { readAccess, setting, type Environment, type Provider } from './provider.ts'

/** The model that the documentation of `@ai-sdk/openai` 4.0.118 uses throughout; it is in its typings too. */
const DEFAULT_MODEL = 'gpt-6-astra'

const OFFICIAL = new URL('https://api.openai.com/v1')

/** OpenAI, or any server that speaks its chat completions. @throws ServiceError `invalid-request` for an unreadable base URL. */
export function openai(env: Environment): Provider {
  const access = readAccess(env, 'OPENAI')
  const url = access?.baseUrl ? readBaseUrl(access.baseUrl.text, access.baseUrl.variable) : OFFICIAL
  // Ollama, vLLM and most gateways have no `/responses`: only the official host is spoken to in that newer protocol.
  const load = url.hostname === OFFICIAL.hostname ? loadOfficial : loadCompatible
  return {
    name: 'openai',
    variables: ['OPENAI_API_KEY', 'OPENAI_BASE_URL'],
    configuredBy: access?.configuredBy,
    defaultModel: setting(env, 'OPENAI_MODEL') ?? DEFAULT_MODEL,
    load: (modelId) => load(modelId, url.href, access?.key),
  }
}

async function loadOfficial(
  modelId: string,
  baseURL: string,
  key: string | undefined,
): Promise<LanguageModelV4> {
  const { createOpenAI } = await import('@ai-sdk/openai')
  // Both are always given: left out, the package would look for them in process.env by itself.
  return createOpenAI({ baseURL, apiKey: key ?? 'none' }).responses(modelId)
}

async function loadCompatible(
  modelId: string,
  baseURL: string,
  key: string | undefined,
): Promise<LanguageModelV4> {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  const provider = createOpenAICompatible({
    name: 'openai',
    baseURL,
    includeUsage: true,
    ...(key !== undefined && { apiKey: key }),
  })
  return provider.chatModel(modelId)
}
