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

  it.each<[string, Reply, string]>([
    ['a bare text in JSON', { status: 400, body: ['"No tools here."'] }, 'with status 400: No tools here.'],
    ['a success without a body', { status: 204, body: [] }, 'is empty (status 204).'],
    ['a broken gzip', { headers: { 'content-encoding': 'gzip' }, body: ['{}'] }, 'says (Z_DATA_ERROR).'],
    [
      'a broken brotli',
      { headers: { 'content-encoding': 'br' }, body: ['no br at all'] },
      'cannot be unpacked',
    ],
  ])('%s is told', async (_what, reply, words) => {
    const { error } = await ask(api, reply)

    expect(error).toMatchObject({ message: expect.stringContaining(words) as string })
  })

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

  it('a limit that passes in days is asked once, and its end is told', async () => {
    const limit = { type: 'usage_limit_reached', message: 'You have hit your usage limit.' }
    const { error } = await ask(api, {
      status: 429,
      body: [JSON.stringify({ error: { ...limit, resets_in_seconds: 300_000 } })],
    })

    expect(error).toMatchObject({
      code: 'model-refused',
      message: expect.stringContaining('It has some again in 84 hours.') as string,
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

/** Errors within a stream, in the words of each API. */
const errorsInStreams: readonly [api: string, type: string, event: object][] = [
  ['anthropic', 'rate_limit_error', { type: 'error', error: { type: 'rate_limit_error', message: 'Slow.' } }],
  ['chat', 'rate_limit_error', { error: { type: 'rate_limit_error', message: 'Slow.' } }],
  ['chat', 'rate_limit_exceeded', { error: { code: 'rate_limit_exceeded', message: 'Slow.' } }],
  [
    'responses',
    'rate_limit_exceeded',
    { type: 'error', error: { type: 'requests', code: 'rate_limit_exceeded', message: 'Slow.' } },
  ],
  ['google', 'RESOURCE_EXHAUSTED', { error: { status: 'RESOURCE_EXHAUSTED', message: 'Slow.' } }],
]

it.each(errorsInStreams)('a rate limit within a stream of %s is told as %s', async (api, _type, event) => {
  const { error } = await ask(api, { body: [`data: ${JSON.stringify(event)}\n\n`] })

  expect(error).toMatchObject({ code: 'rate-limited', message: expect.stringContaining('Slow') as string })
  expect(provider.requests).toHaveLength(4)
})

it.each([
  ['anthropic', { type: 'error', error: { type: 'invalid_request_error', message: 'Bad tool.' } }],
  ['chat', { error: { type: 'invalid_request_error', message: 'Bad tool.' } }],
  ['google', { error: { status: 'INVALID_ARGUMENT', message: 'Bad tool.' } }],
])('a refusal within a stream of %s is asked once', async (api, event) => {
  const { error } = await ask(api, { body: [`data: ${JSON.stringify(event)}\n\n`] })

  expect(error).toMatchObject({
    code: 'model-refused',
    message: expect.stringContaining('Bad tool') as string,
  })
  expect(provider.requests).toHaveLength(1)
})

const pageOf = (title: string): string => `<html><head><title>${title}</title></head><body></body></html>`

it.each([
  [403, 'model-refused', 'Something on the way'],
  [413, 'context-full', 'too large for what is on the way'],
])('a page of HTML with status %i is that of a proxy', async (status, code, words) => {
  const reply = { status, headers: { 'content-type': 'text/html' }, body: [pageOf('Blocked here')] }

  const { error } = await ask('chat', reply)

  expect(error).toMatchObject({
    code,
    message: expect.stringMatching(new RegExp(`${words}.*Blocked here`)) as string,
  })
})

it('says why Claude does not answer', async () => {
  const { begin = [] } = wireWords.find(({ api }) => api === 'anthropic') ?? {}
  const delta = { stop_reason: 'refusal', stop_details: { type: 'refusal', explanation: 'It is not safe.' } }
  const events = [{ type: 'message_delta', delta, usage: { output_tokens: 1 } }, { type: 'message_stop' }]

  const { said, finish } = await ask('anthropic', {
    body: [...begin, ...events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)],
  })

  expect({ said, reason: finish?.finishReason.unified }).toEqual({
    said: 'It is not safe.',
    reason: 'content-filter',
  })
})

it('says why Gemini does not answer', async () => {
  const candidate = { finishReason: 'IMAGE_SAFETY', finishMessage: 'It is not safe.' }

  const { said, finish } = await ask('google', {
    body: [`data: ${JSON.stringify({ candidates: [candidate] })}\n\n`],
  })

  expect({ said, reason: finish?.finishReason.unified }).toEqual({
    said: 'It is not safe.',
    reason: 'content-filter',
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
