import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { toFailure } from '../errors.ts'
import { createModels } from './index.ts'

const KEY = 'sk-right-1234'
const provider = new LLMock({ port: 0 })

beforeAll(async () => {
  provider.onMessage('greet', {
    content: 'Hello from the other side.',
    usage: { input_tokens: 5, output_tokens: 7 },
  })
  provider.onMessage('ponder', { content: 'It is so.', reasoning: 'Let me think.' })
  provider.onMessage('search', { toolCalls: [{ name: 'jobs_search', arguments: '{"keywords":"rust"}' }] })
  await provider.start()
})
beforeEach(() => provider.clearRequests())
afterAll(() => provider.stop())

function ask(text: string): LanguageModelV4CallOptions {
  return {
    prompt: [{ role: 'user', content: [{ type: 'text', text }] }],
    tools: [{ type: 'function', name: 'jobs_search', inputSchema: { type: 'object', properties: {} } }],
  }
}

async function stream(
  env: Record<string, string>,
  text: string,
  fallback?: string,
): Promise<LanguageModelV4StreamPart[]> {
  const model = await load(env, fallback)
  const result = await model.doStream(ask(text))
  return Array.fromAsync(result.stream)
}

function load(env: Record<string, string>, fallback = 'haiku') {
  return createModels({ env, offlinePace: 0 }).choose({ primary: 'sonnet', fallback }).load()
}

const textOf = (parts: readonly LanguageModelV4StreamPart[]): string =>
  parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('')

describe.each([
  ['Anthropic', 'ANTHROPIC', '/v1/messages'],
  ['Anthropic by the other names', 'CLAUDE', '/v1/messages'],
  ['a server that speaks chat completions', 'OPENAI', '/v1/chat/completions'],
  ['Google', 'GOOGLE', '/v1beta/models/gemini-flash-latest:streamGenerateContent?alt=sse'],
  ['Google by the other names', 'GEMINI', '/v1beta/models/gemini-flash-latest:streamGenerateContent?alt=sse'],
  ['OpenRouter', 'OPENROUTER', '/v1/chat/completions'],
])('%s', (_name, prefix, path) => {
  const env = (): Record<string, string> => ({
    [`${prefix}_BASE_URL`]: provider.url,
    [`${prefix}_API_KEY`]: KEY,
  })

  it('streams text, and reports its usage', async () => {
    const parts = await stream(env(), 'greet me')

    expect(textOf(parts)).toBe('Hello from the other side.')
    expect(parts.at(-1)).toMatchObject({
      type: 'finish',
      finishReason: { unified: 'stop' },
      usage: { inputTokens: { total: 5 }, outputTokens: { total: 7 } },
    })
    expect(provider.getLastRequest()?.path).toBe(path)
  })

  it('streams a tool call', async () => {
    const parts = await stream(env(), 'search please')

    expect(parts.find((part) => part.type === 'tool-call')).toMatchObject({
      toolName: 'jobs_search',
      input: '{"keywords":"rust"}',
    })
  })

  it('streams reasoning', async () => {
    const parts = await stream(env(), 'ponder')

    expect(parts.map((part) => (part.type === 'reasoning-delta' ? part.delta : '')).join('')).toBe(
      'Let me think.',
    )
    expect(textOf(parts)).toBe('It is so.')
  })

  it('is called without a key if none is configured', async () => {
    const parts = await stream({ [`${prefix}_BASE_URL`]: `${provider.url}/` }, 'greet me')

    expect(textOf(parts)).toBe('Hello from the other side.')
    expect(JSON.stringify(provider.getLastRequest()?.headers)).not.toContain(KEY)
  })

  it('does not show the key if it refuses it', async () => {
    provider.nextRequestError(401, {
      message: `Incorrect API key provided: ${KEY}`,
      type: 'authentication_error',
    })

    const error = await stream(env(), 'greet me', 'sonnet').catch((reason: unknown) => reason)

    expect(error).toMatchObject({
      code: 'model-unauthorized',
      message: expect.stringMatching(/Check (?:ANTHROPIC|OPENAI|GOOGLE|OPENROUTER)_API_KEY/),
    })
    expect(JSON.stringify(toFailure(error))).not.toContain(KEY)
  })
})

it('sends no key to an address of another family of variables', async () => {
  await stream({ ANTHROPIC_BASE_URL: provider.url, CLAUDE_API_KEY: KEY }, 'greet me')

  expect(provider.getRequests()).toHaveLength(1)
  expect(JSON.stringify(provider.getLastRequest()?.headers)).not.toContain(KEY)
})

it('calls the responses API on the official host of OpenAI', async () => {
  expect((await load({ OPENAI_API_KEY: KEY })).provider).toBe('openai.responses')
  expect((await load({ OPENAI_API_KEY: KEY, OPENAI_BASE_URL: 'https://api.openai.com' })).provider).toBe(
    'openai.responses',
  )
  expect((await load({ OPENAI_API_KEY: KEY, OPENAI_BASE_URL: provider.url })).provider).toBe('openai.chat')
})
