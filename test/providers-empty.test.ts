import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { askModel } from './support/ask-model.ts'
import { events, wireProvider, type WireProvider } from './support/wire-provider.ts'
import { wireWords } from './support/wire-words.ts'

let provider: WireProvider
beforeAll(async () => {
  provider = await wireProvider()
})
afterAll(() => provider[Symbol.asyncDispose]())

const retry = { retries: 3, hasFallback: false, agent: { retryDelayMs: 0 } }
const empty = { code: 'model-failed', message: expect.stringContaining('is empty') as string }

describe.each(wireWords)('an empty answer over the protocol $api', ({ api, begin, text, end }) => {
  const blank = { body: [...begin, ...text('\n\n'), ...end] }
  const nothing = { body: [...begin, ...end] }

  it.each([
    ['nothing', nothing],
    ['blanks', blank],
  ])('is asked again once, of %s', async (_name, reply) => {
    provider.play(reply, { body: [...begin, ...text('Hello'), ...end] })

    const { said, error } = await askModel(provider.url, api, retry)

    expect({ said, error }).toEqual({ said: 'Hello', error: undefined })
    expect(provider.requests).toHaveLength(2)
  })

  it('fails with a sentence if it is empty again', async () => {
    provider.play(nothing, blank, nothing, nothing)

    expect((await askModel(provider.url, api, retry)).error).toMatchObject(empty)
    expect(provider.requests).toHaveLength(2)
  })

  it("is the next model's to give", async () => {
    provider.play(nothing, { body: [...begin, ...text('Hello'), ...end] })

    const { said, speakers } = await askModel(provider.url, api)

    expect({ said, speakers }).toEqual({ said: 'Hello', speakers: ['wire:second'] })
  })
})

const chunk = (delta: object, finish: string | null = null): string[] =>
  events({ choices: [{ index: 0, delta, finish_reason: finish }] } as object)

it('fails with a sentence after reasoning alone, which cannot be taken back', async () => {
  provider.play({ body: [...chunk({ reasoning_content: 'It is 4.' }), ...chunk({}, 'stop')] })

  const { thoughts, error } = await askModel(provider.url, 'chat', retry)

  expect({ thoughts, error }).toMatchObject({ thoughts: 'It is 4.', error: empty })
})

it.each([
  ['content_filter', 'held the answer'],
  ['length', 'used up its tokens'],
])('says why there is no answer, and asks once: %s', async (reason, words) => {
  provider.play({ body: chunk({}, reason) })

  const { error } = await askModel(provider.url, 'chat', retry)

  expect(error).toMatchObject({ code: 'model-refused', message: expect.stringContaining(words) as string })
  expect(provider.requests).toHaveLength(1)
})

it("names the provider's own word for the end", async () => {
  const candidate = { index: 0, finishReason: 'UNEXPECTED_TOOL_CALL' }
  provider.play({ body: events({ candidates: [candidate] } as object) })

  expect((await askModel(provider.url, 'google', { hasFallback: false })).error).toMatchObject({
    message: expect.stringContaining('it ended with UNEXPECTED_TOOL_CALL') as string,
  })
})

describe('after words before a call', () => {
  const call = { type: 'tool-call', toolCallId: 'c', toolName: 'look', input: {} } as const
  const output = { type: 'text', value: 'done' } as const
  const prompt: LanguageModelV4Prompt = [
    { role: 'user', content: [{ type: 'text', text: 'Look, and say hello.' }] },
    { role: 'assistant', content: [{ type: 'text', text: 'Hello.' }, call] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c', toolName: 'look', output }] },
  ]
  const nothing = { body: chunk({}, 'stop') }

  it('is asked again', async () => {
    provider.play(nothing, { body: [...chunk({ content: 'Seen.' }), ...chunk({}, 'stop')] })

    expect(await askModel(provider.url, 'chat', { ...retry, prompt })).toMatchObject({
      said: 'Seen.',
      error: undefined,
    })
  })

  it('is taken as it is if it is empty again, and after thoughts, which cannot be taken back', async () => {
    provider.play(nothing, nothing)
    expect((await askModel(provider.url, 'chat', { ...retry, prompt })).error).toBeUndefined()
    expect(provider.requests).toHaveLength(2)

    provider.play({ body: [...chunk({ reasoning_content: 'It is done.' }), ...chunk({}, 'stop')] })
    expect((await askModel(provider.url, 'chat', { ...retry, prompt })).error).toBeUndefined()
    expect(provider.requests).toHaveLength(1)
  })
})

it('finishes if its only call is done by the provider', async () => {
  const search = { type: 'web_search_call', id: 'ws', status: 'completed' }
  const item = (type: 'added' | 'done', fields: object): string[] =>
    events({ type: `response.output_item.${type}`, output_index: 0, item: fields } as object)
  const { begin = [], text, end = [] } = wireWords.find(({ api }) => api === 'responses') ?? {}
  const body = [
    ...begin,
    ...item('added', search),
    ...item('done', { ...search, action: { type: 'brand_new' } }),
    ...(text?.('Hello') ?? []),
    ...end,
  ]
  provider.play({ body })

  const { said, finish } = await askModel(provider.url, 'responses')

  expect({ said, finish }).toMatchObject({ said: 'Hello', finish: { finishReason: { unified: 'stop' } } })
})
