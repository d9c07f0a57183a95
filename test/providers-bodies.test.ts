import { afterAll, beforeAll, expect, it } from 'vitest'

import { askModel } from './support/ask-model.ts'
import { events, wireProvider, type WireProvider } from './support/wire-provider.ts'

let provider: WireProvider
beforeAll(async () => {
  provider = await wireProvider()
})
afterAll(() => provider[Symbol.asyncDispose]())

const choice = (fields: object): object => ({ choices: [{ index: 0, ...fields }] })
const half = events(choice({ delta: { content: 'Half' } }))
const reason = 'The engine is out of coffee'
it.each<[string, string, readonly string[]]>([
  ['a line of JSON', 'chat', [...half, JSON.stringify({ error: { message: reason } }), '\n']],
  ['a sentence', 'chat', [...half, `data: ${reason}\n\n`]],
  [
    'the last choice',
    'chat',
    [...half, ...events(choice({ finish_reason: 'error', error: { message: reason } }))],
  ],
  ['a message', 'chat', events({ message: reason, status: 'error' } as object)],
  [
    'a status',
    'chat',
    events({ choices: null, base_resp: { status_code: 1, status_msg: reason } } as object),
  ],
  [
    'a line of JSON',
    'google',
    [
      ...events({ candidates: [{ content: { parts: [{ text: 'Half' }] } }] } as object),
      JSON.stringify({ error: { code: 503, message: reason } }),
      '\n',
    ],
  ],
])('shows the reason in %s where the finish should be (%s)', async (_name, api, body) => {
  provider.play({ body })

  expect((await askModel(provider.url, api, { hasFallback: false })).error).toMatchObject({
    message: expect.stringContaining(reason) as string,
  })
})

it.each<[object | string, string]>([
  [{ detail: [{ loc: ['body', 'max_tokens'], msg: 'field required' }] }, 'body.max_tokens: field required'],
  [{ errors: [{ message: 'in a list' }] }, 'in a list'],
  [{ error: { message: null, code: 'model_not_loaded' } }, 'model_not_loaded'],
  ['<html><head><title>Blocked by the firewall</title></head></html>', 'Blocked by the firewall'],
])('reads the reason in the body %j', async (body, words) => {
  provider.play({ status: 422, body: [typeof body === 'string' ? body : JSON.stringify(body)] })

  expect((await askModel(provider.url, 'chat', { hasFallback: false })).error).toMatchObject({
    message: expect.stringContaining(words) as string,
  })
})

const content = [{ type: 'output_text', text: 'Hello' }]
const output = { type: 'message', id: 'm', role: 'assistant', content }
it.each([
  ['anthropic', { type: 'message', content: [{ type: 'text', text: 'Hello' }], stop_reason: 'end_turn' }],
  ['responses', { object: 'response', status: 'completed', output: [output] }],
])('reads an answer that comes as one JSON: %s', async (api, body) => {
  const headers = { 'content-type': 'application/json' }
  provider.play({ headers, body: [JSON.stringify(body)] })

  const { said, error } = await askModel(provider.url, api, { hasFallback: false })

  expect({ said, error }).toEqual({ said: 'Hello', error: undefined })
})
