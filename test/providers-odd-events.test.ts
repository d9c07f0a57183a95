import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { askModel } from './support/ask-model.ts'
import { wireProvider, type WireProvider } from './support/wire-provider.ts'
import { wireWords } from './support/wire-words.ts'

let provider: WireProvider
beforeAll(async () => {
  provider = await wireProvider()
})
afterAll(() => provider[Symbol.asyncDispose]())

const data = (value: object): string => `data: ${JSON.stringify(value)}\n\n`
const chatChunk = (delta: object, more: object = {}): string =>
  data({ id: 'c', choices: [{ index: 0, delta, finish_reason: null, ...more }] })

/** What an API may send in addition to the answer, at any place. */
const ODD: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  anthropic: [
    ['an event of a new type', data({ type: 'brand_new', x: 1 })],
    [
      'a block of a new type',
      data({ type: 'content_block_start', index: 7, content_block: { type: 'new' } }),
    ],
    [
      'a delta without a block',
      data({ type: 'content_block_delta', index: 8, delta: { type: 'new_delta' } }),
    ],
    ['the end of no block', data({ type: 'content_block_stop', index: 8 })],
  ],
  google: [
    ['a part of a new kind', data({ candidates: [{ content: { parts: [{ brandNew: {} }, null] } }] })],
    ['candidates that are null', data({ candidates: null })],
    ['usage in texts', data({ usageMetadata: { candidatesTokenCount: '3', promptTokensDetails: 'none' } })],
  ],
  chat: [
    ['usage without choices', data({ id: 'c', usage: { prompt_tokens: 7, completion_tokens: 3 } })],
    ['choices that are null', data({ id: 'c', choices: null })],
    ['choices that are no objects', data({ id: 'c', choices: [null, 'x'] })],
    ['fields of other types', data({ id: 7, created: '1', model: null, choices: [], usage: 'none' })],
    ['an error that is null', chatChunk({ content: '' }).replace('{"id"', '{"error":null,"id"')],
    ['another role', chatChunk({ role: 'model', content: null, reasoning: {} })],
  ],
  responses: [
    ['an event of a new type', data({ type: 'response.brand_new', x: 1 })],
    ['an item that is none', data({ type: 'response.output_item.added', output_index: 4, item: null })],
    ['an event without a type', data({ sequence_number: 4 })],
    [
      'a known event with other fields',
      data({ type: 'response.output_text.annotation.added', annotation: 3 }),
    ],
  ],
}
const EVERYWHERE = [
  ['an empty object', data({})],
  ['a ping that is no JSON', 'event: ping\ndata: ping\n\n'],
  ['a number', 'data: 7\n\n'],
  ['a list', 'data: []\n\n'],
  ['half of an object', 'data: {"half":\n\n'],
  ['an event without data', 'event: heartbeat\n\n'],
] as const

describe.each(wireWords)('over the protocol $api', ({ api, begin, text, end }) => {
  it.each([...EVERYWHERE, ...(ODD[api] ?? [])])('an answer survives %s', async (_name, odd) => {
    const [first = '', ...rest] = end
    provider.play({ body: [odd, ...begin, odd, ...text('one two'), odd, first, odd, ...rest, odd] })

    const { said, finish, error } = await askModel(provider.url, api)

    expect({ said, error }).toEqual({ said: 'one two', error: undefined })
    expect(finish?.finishReason.unified).toBe('stop')
    expect(finish?.usage.outputTokens.total).toBe(3)
  })

  it('warns once of what it passes over', async () => {
    provider.play({ body: ['data: 7\n\n', ...begin, 'data: 7\n\n', ...text('one'), ...end] })

    const { warnings } = await askModel(provider.url, api)

    const { host } = new URL(provider.url)
    expect(warnings).toEqual([`The model provider at ${host} sent an event that is no JSON object.`])
  })

  it('does not take an answer without a finish for a complete one', async () => {
    provider.play({ body: [...begin, ...text('one'), 'data: 7\n\n'] })

    expect((await askModel(provider.url, api)).error).toMatchObject({ code: 'model-failed' })
  })

  it.each([
    ['error', 'event: error\ndata: Out of coffee\n\n'],
    ['message', data({ type: 'error', message: 'Out of coffee' })],
    ['text', data({ error: 'Out of coffee' })],
    ['object', data({ error: { message: 'Out of coffee', code: 'coffee', status: 'EMPTY' } })],
  ])('shows the reason of an error in the stream, as %s', async (form, event) => {
    if (api === 'google' && (form === 'error' || form === 'message')) return
    provider.play({ body: [...begin, ...text('one'), event] })

    expect((await askModel(provider.url, api)).error).toMatchObject({
      message: expect.stringContaining('Out of coffee') as string,
    })
  })
})

/** A call of `look` whose arguments are not in the usual form. */
const CALLS: readonly (readonly [string, string])[] = [
  [
    'chat',
    chatChunk({ tool_calls: [{ id: 'c1', function: { name: 'look', arguments: { at: 1 } } }] }) +
      chatChunk({}, { finish_reason: 'tool_calls' }),
  ],
  [
    'anthropic',
    data({ type: 'message_start', message: { id: 'm', content: null } }) +
      data({
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'tool_use', id: 't', name: 'look', input: '' },
      }) +
      data({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'input_json_delta', partial_json: { at: 1 } },
      }) +
      data({ type: 'content_block_stop', index: 0 }) +
      data({ type: 'message_delta', delta: { stop_reason: 'tool_use' } }) +
      data({ type: 'message_stop' }),
  ],
  [
    'google',
    data({
      candidates: [{ content: { parts: [{ functionCall: { name: 'look', args: '{"at":1}' } }] } }],
    }) + data({ candidates: [{ finishReason: 'STOP' }] }),
  ],
  [
    'responses',
    data({
      type: 'response.output_item.added',
      output_index: 0,
      item: { type: 'function_call', id: 'f', call_id: 'c', name: 'look', arguments: {} },
    }) +
      data({
        type: 'response.function_call_arguments.delta',
        item_id: 'f',
        output_index: 0,
        delta: { at: 1 },
      }) +
      data({
        type: 'response.output_item.done',
        output_index: 0,
        item: {
          type: 'function_call',
          id: 'f',
          call_id: 'c',
          name: 'look',
          arguments: { at: 1 },
          status: 'completed',
        },
      }) +
      data({ type: 'response.completed', response: { usage: { input_tokens: '7', output_tokens: '3' } } }),
  ],
]

it.each(CALLS)('accepts arguments of another type over the protocol %s', async (api, body) => {
  provider.play({ body: [body] })

  const { calls, error } = await askModel(provider.url, api)

  expect({ calls, error }).toEqual({ calls: [{ tool: 'look', input: '{"at":1}' }], error: undefined })
})

it.each<[string, object]>([
  ['texts', { usage: { prompt_tokens: '7', completion_tokens: '3' } }],
  ['a choice', { choices: [{ index: 0, delta: {}, usage: { prompt_tokens: 7, completion_tokens: 3 } }] }],
  ['other names', { choices: [], usage: { input_tokens: 7, output_tokens: 3 } }],
])('reads usage in %s', async (_place, chunk) => {
  provider.play({
    body: [chatChunk({ content: 'Hi' }), chatChunk({}, { finish_reason: 'stop' }), data(chunk)],
  })

  const { finish } = await askModel(provider.url, 'chat')

  expect(finish?.usage).toMatchObject({ inputTokens: { total: 7 }, outputTokens: { total: 3 } })
})

it.each([
  [
    'chat',
    { choices: [{ index: 0, delta: { audio: { id: 'a', data: 'AAAA' } }, finish_reason: null }] },
    'the sound of an answer, of which only the words are kept',
  ],
  [
    'responses',
    {
      type: 'response.image_generation_call.partial_image',
      partial_image_b64: 'AAAA',
      item_id: 'i',
      output_index: 0,
    },
    'a picture before it was whole, which is left out',
  ],
])('over %s, it is named what has no place', async (api, odd, what) => {
  const words = wireWords.find((each) => each.api === api)
  const pieces = [...(words?.begin ?? []), `data: ${JSON.stringify(odd)}\n\n`, ...(words?.text('one') ?? [])]
  provider.play({ body: [...pieces, ...(words?.end ?? [])] })

  const { said, warnings } = await askModel(provider.url, api)

  const { host } = new URL(provider.url)
  expect({ said, warnings }).toEqual({
    said: 'one',
    warnings: [`The model provider at ${host} sent ${what}.`],
  })
})
