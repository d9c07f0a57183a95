import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { MockLanguageModelV2 } from 'ai-5-0-277/test'
import { MockLanguageModelV3 } from 'ai-6-0-326/test'
import { describe, expect, it } from 'vitest'

import { createModels, modelsFileSchema } from './index.ts'
import { ask, user } from './model-objects.fixture.ts'

const KEY = 'sk-right-1234'
const PNG = 'iVBORw0KGgoAAAANSUhEUg=='
const usage2 = { inputTokens: 9, outputTokens: 4, totalTokens: 13, cachedInputTokens: 2, reasoningTokens: 1 }

describe('a mock model of AI SDK 5', () => {
  const speaking = (finishReason: 'stop' | 'unknown') =>
    new MockLanguageModelV2({
      doStream: async () => ({
        stream: ReadableStream.from([
          {
            type: 'stream-start' as const,
            warnings: [{ type: 'unsupported-setting' as const, setting: 'topK' as const, details: 'no' }],
          },
          { type: 'text-start' as const, id: 't' },
          { type: 'text-delta' as const, id: 't', delta: 'Hi.' },
          { type: 'text-end' as const, id: 't' },
          { type: 'file' as const, mediaType: 'image/png', data: PNG },
          { type: 'finish' as const, finishReason, usage: usage2 },
        ]),
      }),
    })

  it('converts all parts to those of AI SDK 7', async () => {
    expect(await ask(speaking('stop'), 'hi')).toEqual([
      { type: 'stream-start', warnings: [{ type: 'unsupported', feature: 'topK', details: 'no' }] },
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'Hi.' },
      { type: 'text-end', id: 't' },
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: PNG } },
      {
        type: 'finish',
        finishReason: { unified: 'stop', raw: 'stop' },
        usage: {
          inputTokens: { total: 9, noCache: undefined, cacheRead: 2, cacheWrite: undefined },
          outputTokens: { total: 4, text: undefined, reasoning: 1 },
          raw: { totalTokens: 13 },
        },
      },
    ])
  })

  it('counts as interrupted if it gives no finish reason', async () => {
    await expect(ask(speaking('unknown'), 'hi')).rejects.toMatchObject({
      code: 'model-failed',
      message: expect.stringContaining('broke off'),
    })
  })
})

/** Of each kind of part, one. */
const everything: LanguageModelV4CallOptions['prompt'] = [
  { role: 'system', content: 'Be brief.' },
  user(
    'look',
    { type: 'file', mediaType: 'image/png', data: { type: 'data', data: PNG } },
    { type: 'file', mediaType: 'text/plain', filename: 'a.txt', data: { type: 'text', text: 'hi' } },
    { type: 'file', mediaType: 'image/*', data: { type: 'url', url: new URL('https://a.example/b.png') } },
  ),
  {
    role: 'assistant',
    content: [
      { type: 'custom', kind: 'openai.thing', providerOptions: { 'mock-provider': { a: {} } } },
      { type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: {} },
      { type: 'tool-call', toolCallId: 'c2', toolName: 'look', input: {} },
    ],
  },
  {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: 'c1',
        toolName: 'look',
        output: {
          type: 'content',
          value: [
            { type: 'text', text: 'Seen.' },
            { type: 'file', mediaType: 'image/png', data: { type: 'data', data: PNG } },
            {
              type: 'file',
              mediaType: 'image/png',
              data: { type: 'url', url: new URL('https://a.example/b.png') },
            },
            { type: 'file', mediaType: 'text/plain', data: { type: 'text', text: 'hi' } },
            { type: 'custom' },
          ],
        },
      },
      {
        type: 'tool-result',
        toolCallId: 'c2',
        toolName: 'look',
        output: { type: 'execution-denied', reason: 'No.' },
      },
    ],
  },
]

describe('the prompt of an adapted model', () => {
  const files = [
    { type: 'file', mediaType: 'image/png', data: PNG },
    { type: 'file', mediaType: 'text/plain', filename: 'a.txt', data: new TextEncoder().encode('hi') },
    { type: 'file', mediaType: 'image/*', data: new URL('https://a.example/b.png') },
  ]
  const calls = ['c1', 'c2'].map((toolCallId) => ({
    type: 'tool-call',
    toolCallId,
    toolName: 'look',
    input: {},
  }))
  const result = (toolCallId: string, output: object) => ({
    type: 'tool-result',
    toolCallId,
    toolName: 'look',
    output,
  })
  const refuses = async (): Promise<never> => Promise.reject(new Error('It is seen.'))

  it('has the format of AI SDK 6', async () => {
    const model = new MockLanguageModelV3({ doStream: refuses })
    await ask(model, '', { prompt: everything, reasoning: 'low' }).catch(() => undefined)

    expect(model.doStreamCalls[0]).not.toHaveProperty('reasoning')
    expect(model.doStreamCalls[0]?.prompt.slice(1)).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'look' }, ...files] },
      { role: 'assistant', content: calls },
      {
        role: 'tool',
        content: [
          result('c1', {
            type: 'content',
            value: [
              { type: 'text', text: 'Seen.' },
              { type: 'file-data', mediaType: 'image/png', data: PNG },
              { type: 'file-url', mediaType: 'image/png', url: 'https://a.example/b.png' },
              { type: 'text', mediaType: 'text/plain', text: 'hi' },
              { type: 'custom' },
            ],
          }),
          result('c2', { type: 'execution-denied', reason: 'No.' }),
        ],
      },
    ])
  })

  it('has the format of AI SDK 5', async () => {
    const model = new MockLanguageModelV2({ doStream: refuses })
    await ask(model, '', {
      prompt: everything,
      tools: [{ type: 'provider', id: 'openai.web', name: 'web', args: {} }],
    }).catch(() => undefined)

    expect(model.doStreamCalls[0]?.tools).toEqual([
      { type: 'provider-defined', id: 'openai.web', name: 'web', args: {} },
    ])
    expect(model.doStreamCalls[0]?.prompt.slice(1)).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'look' }, ...files] },
      { role: 'assistant', content: calls },
      {
        role: 'tool',
        content: [
          result('c1', {
            type: 'content',
            value: [
              { type: 'text', text: 'Seen.' },
              { type: 'media', mediaType: 'image/png', data: PNG },
              { type: 'text', text: 'https://a.example/b.png' },
              { type: 'text', text: 'hi' },
            ],
          }),
          result('c2', { type: 'error-text', value: 'No.' }),
        ],
      },
    ])
  })
})

describe('the models of an agent with a model object', () => {
  const object = new MockLanguageModelV3({ provider: 'mine.chat', modelId: 'm-1' })
  const file = { defaults: { chat: { primary: 'openai:gpt-x' } } }

  it('start with the object, with or without models.yaml, and continue with its fallbacks', () => {
    const models = createModels({
      env: { OPENAI_API_KEY: KEY },
      offlinePace: 0,
      file: modelsFileSchema.parse(file),
    })

    expect(models.choose({ primary: object })).toMatchObject({
      name: 'mine.chat:m-1',
      why: "It is the agent's first choice, a model object in its code. Where it fails: openai:gpt-x.",
    })
    expect(models.choose({ primary: 'sonnet', fallback: object }).name).toBe('mine.chat:m-1')
  })

  it('start with the model of DRAGOMAN_MODEL if it is set', () => {
    const models = createModels({ env: {}, offlinePace: 0, override: 'offline' })

    expect(models.choose({ primary: object }).name).toBe('offline')
  })
})
