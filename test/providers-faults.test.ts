import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { askModel, WIRE_KEY, type ModelAnswer } from './support/ask-model.ts'
import { wireProvider, type Reply, type WireProvider } from './support/wire-provider.ts'
import { wireWords } from './support/wire-words.ts'

let provider: WireProvider
beforeAll(async () => {
  provider = await wireProvider()
})
afterAll(() => provider[Symbol.asyncDispose]())

const ask = (api: string, options?: Parameters<typeof askModel>[2]): Promise<ModelAnswer> =>
  askModel(provider.url, api, options)

describe.each(wireWords)('over the protocol $api', ({ api, begin, text, end }) => {
  const hello: Reply = { body: [...begin, ...text('Hello'), ...end] }
  const broken = 'data: {"half":\n\n'

  it.each<[string, Reply]>([
    ['fails', { status: 500, body: ['{}'] }],
    ['refuses the request', { status: 404, body: ['{}'] }],
    ['refuses the key', { status: 401, body: [JSON.stringify({ error: { message: WIRE_KEY } })] }],
    ['sends us elsewhere', { status: 307, headers: { location: 'http://127.0.0.1:1/' }, body: [] }],
    ['writes what is no JSON', { body: [...begin, broken] }],
    ['is cut off', { body: begin, after: 'cut' }],
    ['ends before it has said anything', { body: begin }],
  ])('a model that %s before its first token is replaced by the fallback', async (_fault, fault) => {
    provider.play(fault, hello)

    expect(await ask(api)).toMatchObject({ said: 'Hello', speakers: ['wire:second'], error: undefined })
    expect(provider.requests).toHaveLength(2)
  })

  it('a model that is silent before its first token is replaced by the fallback', async () => {
    provider.play({ body: begin, after: 'silence' }, hello)

    expect(await ask(api, { provider: { timeout: 0.2 } })).toMatchObject({
      said: 'Hello',
      speakers: ['wire:second'],
    })
  })

  it('a rate-limited request is retried after its Retry-After', async () => {
    provider.play({ status: 429, headers: { 'retry-after': '0' }, body: ['{}'] }, hello)

    expect(await ask(api, { retries: 1 })).toMatchObject({ said: 'Hello', speakers: ['wire:first'] })
  })

  it('a failed request is retried as the agent configures', async () => {
    const fault: Reply = { status: 500, body: ['{}'] }
    provider.play(fault, fault, hello)

    expect(await ask(api, { agent: { retries: 2, retryDelayMs: 0 } })).toMatchObject({
      said: 'Hello',
      speakers: ['wire:first'],
    })
  })

  it.each<[string, Reply, string, object?]>([
    ['writes what is no JSON', { body: [...begin, ...text('Hel'), broken] }, 'model-failed'],
    ['is cut off', { body: [...begin, ...text('Hel')], after: 'cut' }, 'model-failed'],
    ['ends before its end', { body: [...begin, ...text('Hel')] }, 'model-failed'],
    ['is silent', { body: [...begin, ...text('Hel')], after: 'silence' }, 'timed-out', { timeout: 0.2 }],
  ])('a model that %s after its first token is not replaced', async (_fault, fault, code, fields) => {
    provider.play(fault, hello)

    const { said, speakers, error } = await ask(api, { ...(fields && { provider: fields }) })

    expect({ said, speakers }).toEqual({ said: 'Hel', speakers: ['wire:first'] })
    expect(error).toMatchObject({ name: 'ServiceError', code })
    expect(provider.requests).toHaveLength(1)
  })

  it('a model is called at its other addresses, each with its own key', async () => {
    provider.play(hello)
    const other = { base_url: 'http://127.0.0.1:1', backup_urls: [provider.url], backup_key_env: 'NOT_SET' }

    expect((await ask(api, { provider: other })).error).toMatchObject({ code: 'model-failed' })
    expect(provider.requests).toHaveLength(0)
    expect(await ask(api, { provider: { ...other, backup_key_env: 'WIRE_KEY' } })).toMatchObject({
      said: 'Hello',
      speakers: ['wire:first'],
    })
    expect(JSON.stringify(provider.requests[0]?.headers)).toContain(WIRE_KEY)
  })
})
