import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { Json } from '../../packages/dragoman/src/index.ts'
import { gate } from '../support/gate.ts'
import { chatRequest, client } from '../support/http.ts'
import { says, scriptedModel, step } from '../support/scripted-model.ts'
import { openServer, type TestServer } from '../support/server.ts'
import { bearer } from '../support/users.ts'

const answers = Array.from({ length: 40 }, (_none, at) => step(says(`Answer ${at}.`)))

describe('an Idempotency-Key', () => {
  const model = scriptedModel()
  let server: TestServer
  beforeEach(async () => {
    model.play(answers)
    server = await openServer({ models: model.models, users: ['ada', 'bob'], isOnDisk: true })
    for (const name of ['mine', 'other']) await client(server).post('/v1/threads', { name })
  })
  afterEach(() => server[Symbol.asyncDispose]())

  const send = async (key: string, body: Json, { thread = 'mine', headers = {} } = {}) => {
    const path = `/v1/threads/${thread}/runs`
    const response = await client(server).post(path, body, { 'idempotency-key': key, ...headers })
    const text = await response.text()
    const failure = response.status === 200 ? {} : (JSON.parse(text) as Record<string, Json>)
    return { status: response.status, run: response.headers.get('x-run-id'), text, failure }
  }

  it('starts one run for concurrent requests', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => send('k', { message: 'Go.' })))

    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(all.map(({ run }) => run)).size).toBe(1)
    expect(model.prompts).toHaveLength(1)
  })

  it('steers once, on either of two servers', async () => {
    const hold = gate()
    model.play([step(says('Half', hold, '.')), ...answers])
    const second = scriptedModel(answers)
    await using there = await openServer({ models: second.models, home: server.home })
    const started = await client(server).post('/v1/threads/mine/runs', { message: 'Go.' })
    await hold.reached

    const all = await Promise.all(
      Array.from({ length: 20 }, (_none, at) =>
        client(at % 2 ? server : there).post(
          '/v1/threads/mine/runs',
          { message: 'Aside', policy: 'steer' },
          { 'idempotency-key': 'k' },
        ),
      ),
    )
    hold.open()

    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]))
    const log = await started.text()
    expect(log.match(/"user.joined"/g)).toHaveLength(1)
  })

  it('is rejected with another text, context, thread, tool list or parent', async () => {
    const first = await send('k', { message: 'Go.' })
    const second = await send('k2', { message: 'Go on.' })
    const [one, two] = [first.run, second.run]
    const again = await send('k3', { replaces: two })

    expect((await send('k3', { replaces: two })).run).toBe(again.run)
    for (const refused of [
      await send('k', { message: 'Stay.' }),
      await send('k', { message: 'Go.', context: { a: 1 } }),
      await send('k', { message: 'Go.', tools: { t: {} } }),
      await send('k', { message: 'Go.' }, { thread: 'other' }),
      await send('k', { replaces: two }),
      await send('k3', { replaces: one }),
    ])
      expect([refused.status, refused.failure['code']]).toEqual([422, 'key-reused'])
  })

  it('is separate for each user', async () => {
    const headers = bearer(server.token('bob'))
    await client(server).post('/v1/threads', { name: 'mine' }, headers)

    const mine = await send('k', { message: 'Go.' })
    const theirs = await send('k', { message: 'Something else.' }, { headers })

    expect(theirs.status).toBe(200)
    expect(theirs.run).not.toBe(mine.run)
  })

  it('starts a new run after its thread is deleted', async () => {
    const first = await send('k', { message: 'Go.' })
    await client(server).send('DELETE', '/v1/threads/mine')
    await client(server).post('/v1/threads', { name: 'mine' })

    const again = await send('k', { message: 'Stay.' })

    expect(again.status).toBe(200)
    expect(again.run).not.toBe(first.run)
  })

  it('may be any text, including reserved words', async () => {
    const start = async (key: string) => {
      const body = { message: { role: 'user', parts: [{ type: 'text', text: 'Go.' }] } }
      const response = await client(server).post('/jobs/chat', body, { 'idempotency-key': key })
      await response.text()
      return response.headers.get('x-run-id')
    }

    for (const key of ['$thread', 'message:jobs/$thread:m1', '$&', '%24thread'])
      expect(await start(key), key).toBe(await start(key))
  })

  it('may be Chinese, and identifies its run in a stop request', async () => {
    const hold = gate()
    model.play([step(says('Half', hold, '.'))])
    const key = '密钥'.repeat(60)
    const bytes = Buffer.from(key).toString('latin1')
    const started = await client(server).post('/jobs/chat', chatRequest('你好'), { 'idempotency-key': bytes })
    await hold.reached

    const stopped = await client(server).json('POST', '/jobs/chat/stop', { key })

    expect(started.status).toBe(200)
    expect(stopped.body).toEqual({ stopped: true })
  })

  it.each(['', 'x'.repeat(201)])('is rejected if it is invalid (%#)', async (key) => {
    expect(await send(key, { message: 'Go.' })).toMatchObject({
      status: 400,
      failure: { code: 'invalid-request' },
    })
  })
})
