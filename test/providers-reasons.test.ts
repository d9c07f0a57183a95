import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { askModel, WIRE_KEY, type ModelAnswer } from './support/ask-model.ts'
import { wireProvider, type Reply, type WireProvider } from './support/wire-provider.ts'
import { wireWords } from './support/wire-words.ts'

let provider: WireProvider
beforeAll(async () => {
  provider = await wireProvider()
})
afterAll(() => provider[Symbol.asyncDispose]())

/** Asks a provider that always answers the same. It may be asked four times. */
async function ask(api: string, reply: Reply): Promise<ModelAnswer> {
  provider.play(reply, reply, reply, reply)
  return askModel(provider.url, api, { retries: 3, agent: { retryDelayMs: 0 }, hasFallback: false })
}

const json = (value: object, type = 'application/json'): Reply => ({
  headers: { 'content-type': type },
  body: [JSON.stringify(value, null, 2)],
})

describe.each(wireWords)('over the protocol $api', ({ api }) => {
  it.each<[string, Reply, string]>([
    [
      'a page',
      {
        headers: { 'content-type': 'text/html' },
        body: ['<!doctype html>\n\n<html><head><title>Sign in</title></head></html>'],
      },
      'a page of HTML: Sign in.',
    ],
    [
      'JSON',
      json({ success: false, data: 'Please log in' }),
      'JSON: { "success": false, "data": "Please log in" }.',
    ],
    [
      'a text',
      { headers: { 'content-type': 'text/plain' }, body: ['upstream is away'] },
      'a text: upstream is away.',
    ],
    ['a key', json({ note: `It was ${WIRE_KEY}` }), 'It was [key]'],
  ])('%s with status 200 is told, and asked for once', async (_what, reply, words) => {
    const { error } = await ask(api, reply)

    expect(error).toMatchObject({ code: 'model-refused', message: expect.stringContaining(words) as string })
    expect(provider.requests).toHaveLength(1)
  })

  it.each(['application/json', 'text/event-stream'])(
    'an error in JSON with status 200 is told, as %s',
    async (type) => {
      const { error } = await ask(
        api,
        json({ error: { message: 'No models loaded.', status: 'EMPTY' } }, type),
      )

      expect(error).toMatchObject({ message: expect.stringContaining('No models loaded.') as string })
    },
  )

  it('an account without credit is asked once', async () => {
    const { error } = await ask(api, {
      status: 429,
      body: [
        JSON.stringify({
          error: { message: 'You exceeded your current quota.', type: 'insufficient_quota' },
        }),
      ],
    })

    expect(error).toMatchObject({
      code: 'model-refused',
      message: expect.stringContaining('Add some there, or use another key in WIRE_KEY.') as string,
    })
    expect(provider.requests).toHaveLength(1)
  })

  it('a key that no header can hold is never sent', async () => {
    const key = 'sk-right-1234\u200b'
    const { error } = await askModel(provider.url, api, { key, retries: 3, hasFallback: false })

    expect(error).toMatchObject({
      code: 'model-unauthorized',
      message: expect.stringContaining('Copy it again into WIRE_KEY.') as string,
    })
  })
})

it('accepts a whole answer of a server that does not stream', async () => {
  const { said, calls, error } = await ask(
    'chat',
    json({
      id: 'x',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: 'Hello',
            tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }],
          },
          finish_reason: 'tool_calls',
        },
      ],
    }),
  )

  expect({ said, calls, error }).toEqual({
    said: 'Hello',
    calls: [{ tool: 'look', input: '{}' }],
    error: undefined,
  })
})
