import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { LLMock } from '@copilotkit/aimock'
import { createAnthropic as createAnthropic2 } from 'ai-sdk-anthropic-2'
import { createAnthropic as createAnthropic3 } from 'ai-sdk-anthropic-3'
import { createOpenAI as createOpenAI2 } from 'ai-sdk-openai-2'
import { createOpenAI as createOpenAI3 } from 'ai-sdk-openai-3'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import type { LanguageModel } from '../agents/index.ts'
import { ask, load, user } from './model-objects.fixture.ts'

const KEY = 'sk-right-1234'
const PNG = 'iVBORw0KGgoAAAANSUhEUg=='
const server = new LLMock({ port: 0 })

beforeAll(async () => {
  server.onMessage('greet', {
    content: 'Hello from the other side.',
    usage: { input_tokens: 5, output_tokens: 7 },
  })
  server.onMessage('ponder', { content: 'It is so.', reasoning: 'Let me think.' })
  server.onMessage('search', {
    toolCalls: [{ name: 'jobs_search', arguments: '{"keywords":"rust","remote":true}' }],
  })
  server.onMessage('count', { content: 'one two three four five six' }, { latency: 100, chunkSize: 4 })
  await server.start()
})
beforeEach(() => {
  server.clearRequests()
  urls.length = 0
})
afterAll(() => server.stop())

const deltas = (
  parts: readonly LanguageModelV4StreamPart[],
  type: 'text-delta' | 'reasoning-delta' | 'tool-input-delta',
) => parts.flatMap((part) => (part.type === type ? [part.delta] : []))

/** What the packages have sent, as they wrote it: the server keeps only what it reads of that. */
const urls: string[] = []
const settings = () => ({
  baseURL: `${server.url}/v1`,
  apiKey: KEY,
  fetch: async (url: string | URL | Request, init?: RequestInit) => {
    urls.push(typeof init?.body === 'string' ? init.body : '')
    return fetch(url, init)
  },
})
const anthropic = 'claude-sonnet-4-5'
const openai = 'gpt-4o'

describe.each<[string, () => LanguageModel]>([
  ['@ai-sdk/anthropic of AI SDK 5', () => createAnthropic2(settings())(anthropic)],
  ['@ai-sdk/anthropic of AI SDK 6', () => createAnthropic3(settings())(anthropic)],
  ['@ai-sdk/anthropic of AI SDK 7', () => createAnthropic(settings())(anthropic)],
  ['@ai-sdk/openai of AI SDK 5', () => createOpenAI2(settings()).chat(openai)],
  ['@ai-sdk/openai of AI SDK 6', () => createOpenAI3(settings()).chat(openai)],
  ['@ai-sdk/openai of AI SDK 7', () => createOpenAI(settings()).chat(openai)],
  ['@ai-sdk/openai of AI SDK 5 (responses)', () => createOpenAI2(settings()).responses(openai)],
  ['@ai-sdk/openai of AI SDK 6 (responses)', () => createOpenAI3(settings()).responses(openai)],
  ['@ai-sdk/openai of AI SDK 7 (responses)', () => createOpenAI(settings()).responses(openai)],
])('a model object: %s', (_name, model) => {
  it('streams text and reports usage', async () => {
    const parts = await ask(model(), 'greet me')

    expect(deltas(parts, 'text-delta').join('')).toBe('Hello from the other side.')
    expect(parts.at(-1)).toMatchObject({
      type: 'finish',
      finishReason: { unified: 'stop' },
      usage: { inputTokens: { total: 5 }, outputTokens: { total: 7 } },
    })
  })

  it('streams the input of a tool call', async () => {
    const parts = await ask(model(), 'search please')

    expect(deltas(parts, 'tool-input-delta').join('')).toBe('{"keywords":"rust","remote":true}')
    expect(parts.find(({ type }) => type === 'tool-call')).toMatchObject({
      toolName: 'jobs_search',
      input: '{"keywords":"rust","remote":true}',
    })
    expect(parts.at(-1)).toMatchObject({ finishReason: { unified: 'tool-calls' } })
  })

  it('sends files, tool calls and their results', async () => {
    await ask(model(), '', {
      prompt: [
        user('find one'),
        {
          role: 'assistant',
          content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'jobs_search', input: { n: 1 } }],
        },
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: 'c1',
              toolName: 'jobs_search',
              output: { type: 'text', value: 'One at Northwind.' },
            },
          ],
        },
        user('greet me', { type: 'file', mediaType: 'image/png', data: { type: 'data', data: PNG } }),
      ],
    })

    for (const word of ['One at Northwind.', PNG, 'jobs_search', 'find one'])
      expect(urls.at(-1)).toContain(word)
  })

  it('is retried after a temporary failure', async () => {
    server.nextRequestError(503, { message: 'Overloaded', type: 'overloaded_error' })

    expect(deltas(await ask(model(), 'greet me'), 'text-delta').join('')).toBe('Hello from the other side.')
    expect(server.getRequests()).toHaveLength(2)
  })

  it('fails without its key if the provider refuses it', async () => {
    server.nextRequestError(401, {
      message: `Incorrect API key provided: ${KEY}`,
      type: 'authentication_error',
    })

    const error: unknown = await ask(model(), 'greet me').catch((reason: unknown) => reason)

    expect(error).toMatchObject({
      code: 'model-unauthorized',
      message: expect.stringContaining('Check the key that the model object was created with.'),
    })
    expect(String(error)).not.toContain(KEY)
  })

  it('is aborted with its caller', async () => {
    const stop = new AbortController()
    const { stream } = await (
      await load(model())
    ).doStream({ prompt: [user('count')], abortSignal: stop.signal })
    const received: string[] = []
    const listen = async (): Promise<void> => {
      for await (const part of stream) {
        if (part.type !== 'text-delta') continue
        received.push(part.delta)
        stop.abort()
      }
    }

    await expect(listen()).rejects.toMatchObject({ name: 'AbortError' })
    expect(received).toHaveLength(1)
  })

  it('answers without streaming too', async () => {
    const answer = await (await load(model())).doGenerate({ prompt: [user('greet me')] })

    expect(answer).toMatchObject({
      content: [{ type: 'text', text: 'Hello from the other side.' }],
      finishReason: { unified: 'stop' },
      usage: { inputTokens: { total: 5 }, outputTokens: { total: 7 } },
    })
  })
})

describe.each<[string, () => LanguageModel]>([
  ['AI SDK 5', () => createAnthropic2(settings())(anthropic)],
  ['AI SDK 6', () => createAnthropic3(settings())(anthropic)],
  ['AI SDK 7', () => createAnthropic(settings())(anthropic)],
])('a model of Anthropic as an object of %s', (_name, model) => {
  it('streams reasoning, and gets it back with its signature', async () => {
    const parts = await ask(model(), 'ponder')
    const signed = parts.findLast((part) => 'providerMetadata' in part && part.providerMetadata !== undefined)
    const own = signed && 'providerMetadata' in signed ? signed.providerMetadata : undefined

    expect(deltas(parts, 'reasoning-delta').join('')).toBe('Let me think.')
    expect(own).toHaveProperty(['anthropic.messages', 'anthropic'])

    const reasoning = {
      type: 'reasoning',
      text: 'Let me think.',
      providerOptions: { 'anthropic.messages': { anthropic: { signature: 'sig-1' } } },
    } as const
    const foreign = { ...reasoning, text: 'Not mine.', providerOptions: { openai: { itemId: 'x' } } }
    await ask(model(), '', {
      prompt: [
        user('hi'),
        { role: 'assistant', content: [foreign, reasoning, { type: 'text', text: 'Yes.' }] },
        user('greet me'),
      ],
    })

    expect(urls.at(-1)).toContain('"signature":"sig-1"')
    expect(urls.at(-1)).not.toContain('Not mine.')
  })

  it('marks the parts that the provider may cache', async () => {
    await ask(model(), 'greet me')

    expect(urls.at(-1)?.match(/"cache_control":{"type":"ephemeral"}/g)).toHaveLength(3)
  })
})
