import { describe, expect, it } from 'vitest'

import { readBaseUrl } from './base-url.ts'
import { createModels, modelsFileSchema } from './index.ts'
import { findVendor, resolveProvider, detectApi } from './vendors.ts'

const at = (baseUrl: string, provider?: string) =>
  detectApi(new URL(baseUrl), provider === undefined ? undefined : findVendor(provider))

describe('the API at an address', () => {
  it.each([
    ['https://api.openai.com/v1', 'openai', 'responses'],
    ['https://api.anthropic.com', 'anthropic', 'anthropic'],
    ['https://api.anthropic.com/v1', 'anthropic', 'anthropic'],
    ['https://generativelanguage.googleapis.com/v1beta', 'google', 'google'],
    ['https://generativelanguage.googleapis.com/v1beta/openai', 'google', 'chat'],
    ['https://api.groq.com/openai/v1', 'groq', 'chat'],
    ['https://api.x.ai/v1', 'xai', 'chat'],
    ['https://api.cerebras.ai/v1', 'cerebras', 'chat'],
    ['https://openrouter.ai/api/v1', 'openrouter', 'chat'],
    ['https://api.deepseek.com', 'deepseek', 'chat'],
    ['https://api.deepseek.com/anthropic', 'deepseek', 'anthropic'],
    ['https://api.minimaxi.com/v1', 'minimax', 'chat'],
    ['https://api.mistral.ai/v1', 'mistral', 'chat'],
    ['https://models.example.com/v1', undefined, 'chat'],
    ['https://openai.com.example.com/v1', undefined, 'chat'],
    ['https://notopenai.com/v1', undefined, 'chat'],
  ])('%s', (baseUrl, name, api) => {
    expect(at(baseUrl)).toEqual({ ...(name !== undefined && { name }), api })
  })

  it("is the caller's choice at an unknown host", () => {
    expect(at('https://models.example.com', 'claude')).toEqual({ name: 'anthropic', api: 'anthropic' })
    expect(at('https://models.example.com', 'gemini')).toEqual({ name: 'google', api: 'google' })
    // What others serve under OpenAI's name is chat completions.
    expect(at('https://models.example.com/v1', 'openai')).toEqual({ name: 'openai', api: 'chat' })
    expect(at('https://models.example.com/v1', 'nobody-knows')).toEqual({ api: 'chat' })
  })

  it('does not depend on the version in the path', () => {
    expect(readBaseUrl('https://api.anthropic.com', 'x')).toBe(
      readBaseUrl('https://api.anthropic.com/v1/', 'x'),
    )
  })
})

it.each([
  ['claude-sonnet-5-5', 'anthropic'],
  ['gpt-5', 'openai'],
  ['o4-mini', 'openai'],
  ['gemini-flash-latest', 'google'],
  ['grok-4', 'xai'],
  ['deepseek-chat', 'deepseek'],
  ['codestral-latest', 'mistral'],
  ['MiniMax-M2', 'minimax'],
  ['qwen/qwen3-coder:free', 'openrouter'],
  ['gpt-oss-120b', undefined],
  ['llama-4', undefined],
])('assigns the model %s to %s', (modelId, provider) => {
  expect(resolveProvider({ modelId, headers: {} }, () => undefined)).toEqual({ provider, modelId })
})

it('assigns a name with a slash to OpenRouter, unless models.yaml has it', () => {
  const models = { 'qwen/best': { provider: 'openai', model_name: 'qwen3' } }
  const { resolveName } = createModels({
    env: { OPENAI_API_KEY: 'sk-1' },
    offlinePace: 0,
    file: modelsFileSchema.parse({ models }),
  })
  const named = (modelId: string) => resolveProvider({ modelId, headers: {} }, resolveName)

  expect(named('openai/gpt-4o')).toEqual({ provider: 'openrouter', modelId: 'openai/gpt-4o' })
  expect(named('openai:gpt-4o')).toEqual({ provider: 'openai', modelId: 'gpt-4o' })
  expect(named('qwen/best')).toEqual({ provider: 'openai', modelId: 'qwen3' })
})
