import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { Json } from '../../packages/dragoman/src/index.ts'
import { reading } from '../support/event-stream.ts'
import { gate, type Gate } from '../support/gate.ts'
import { configured, useChat } from '../support/configured.ts'
import { chatRequest, client } from '../support/http.ts'
import { says, step, type ScriptedModel } from '../support/scripted-model.ts'
import type { TestServer } from '../support/server.ts'
import { bearer } from '../support/users.ts'
import { rowsOfEveryTable } from '../support/wire.ts'

const house = configured()
const { as } = house
let model: ScriptedModel
let server: TestServer
const open = async (config: Readonly<Record<string, Json>>): Promise<void> => {
  ;({ model, server } = await house.open(config, { isOnDisk: true }))
}

describe('a user over the rate limit', () => {
  beforeEach(() => open({ rateLimit: 2 }))

  it('is rejected on every surface before any write, with a Retry-After', async () => {
    const thread = String((await as('ada')('POST', '/v1/threads', {})).json['id'])
    await as('ada')('POST', '/jobs/chat', useChat('chat-1', 'm1'))
    await as('ada')('POST', '/jobs/chat', chatRequest('hello'))
    const before = await rowsOfEveryTable(server.home)

    for (const [path, body] of [
      ['/jobs/chat', chatRequest('again')],
      ['/jobs/chat', useChat('chat-2', 'm1')],
      ['/jobs/chat', { message: 'again', options: { stream: false } }],
      [`/v1/threads/${thread}/runs`, { message: 'again' }],
    ] as const) {
      const response = await as('ada')('POST', path, body)

      const retryAfter = Number(response.headers['retry-after'])
      expect(retryAfter).toBeGreaterThan(0)
      expect(response).toMatchObject({
        status: 429,
        headers: { 'content-type': 'application/json' },
        json: {
          error: `2 runs a minute may be started: try again in ${retryAfter} seconds.`,
          code: 'rate-limited',
          retryAfter,
        },
      })
    }
    expect(await rowsOfEveryTable(server.home)).toEqual(before)
    expect(model.prompts).toHaveLength(2)
  })

  it('can still attach, read and stop, and does not affect other users', async () => {
    const first = await as('ada')('POST', '/jobs/chat', useChat('chat-1', 'm1'))
    await as('ada')('POST', '/jobs/chat', chatRequest('hello'))
    const run = String(first.headers['x-run-id'])

    const again = await as('ada')('POST', '/jobs/chat', useChat('chat-1', 'm1'))

    expect(again).toMatchObject({ status: 200, headers: { 'x-run-id': run } })
    expect((await as('ada')('GET', `/v1/runs/${run}/events`)).status).toBe(200)
    expect((await as('ada')('POST', `/v1/runs/${run}/stop`)).status).toBe(200)
    expect((await as('bob')('POST', '/jobs/chat', chatRequest('hello'))).status).toBe(200)
    for (let n = 0; n < 3; n++) {
      expect((await client(server).post('/jobs/chat', chatRequest('hello'))).status).toBe(200)
    }
  })

  it('can open as many threads as runs', async () => {
    const codes: number[] = []
    for (let each = 0; each < 4; each++) codes.push((await as('ada')('POST', '/v1/threads', {})).status)

    expect(codes).toEqual([201, 201, 429, 429])
    const refused = await as('ada')('POST', '/v1/threads', {})
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(refused.json).toMatchObject({ code: 'rate-limited' })
    expect((await as('bob')('POST', '/v1/threads', {})).status).toBe(201)
  })
})

describe('a user with too many open answers', () => {
  const FULL = {
    error: '2 answers are open already: let some of them end first.',
    code: 'rate-limited',
    retryAfter: 5,
  }
  let hold: Gate
  let run: string
  beforeEach(async () => {
    await open({ readers: 2 })
    hold = gate()
    model.play([step(says('Half', hold, ' done.')), step(says('Hi.'))])
    const began = await fetch(`${server.url}/jobs/chat`, {
      method: 'POST',
      headers: bearer(server.token('ada')),
      body: JSON.stringify(useChat('chat-1', 'm1')),
    })
    run = String(began.headers.get('x-run-id'))
    await hold.reached
    await reading(began).leave()
    await hasRoom()
  })
  afterEach(() => hold.open())

  /** Somebody's going is seen when their socket closes, a moment later. */
  const hasRoom = async (): Promise<void> => {
    await expect.poll(async () => (await watch('?after=1000')).status, { interval: 5 }).toBe(409)
  }
  const watch = (query = ''): Promise<Response> =>
    fetch(`${server.url}/v1/runs/${run}/events${query}`, { headers: bearer(server.token('ada')) })

  it('is rejected before any write until an answer ends', async () => {
    const [first, second] = [reading(await watch()), reading(await watch())]
    await Promise.all([first.until('Half'), second.until('Half')])
    const before = await rowsOfEveryTable(server.home)

    const third = await watch()
    const resumed = await as('ada')('GET', '/jobs/chat/chat-1/stream')
    const attached = await as('ada')('POST', '/jobs/chat', useChat('chat-1', 'm1'))
    const started = await as('ada')('POST', '/jobs/chat', chatRequest('hello'))
    const whole = await as('ada')('POST', '/jobs/chat', { message: 'hello', options: { stream: false } })

    expect(third.status).toBe(429)
    expect(third.headers.get('retry-after')).toBe('5')
    expect(await third.json()).toEqual(FULL)
    for (const response of [resumed, attached, started, whole])
      expect(response).toMatchObject({ status: 429, json: FULL })
    expect(await rowsOfEveryTable(server.home)).toEqual(before)
    expect((await as('bob')('POST', '/jobs/chat', chatRequest('hello'))).status).toBe(200)

    await first.leave()
    await hasRoom()
    const instead = reading(await watch())
    hold.open()
    expect((await instead.whole()).toString()).toContain('run.finished')
    expect((await second.whole()).toString()).toContain('run.finished')
    expect((await watch()).status).toBe(200)
  })

  it('cannot avoid the limit with other kinds of requests', async () => {
    for (let n = 0; n < 5; n++) {
      // To its head alone; from beyond its end; and gone before it begins.
      expect((await as('ada')('HEAD', `/v1/runs/${run}/events`)).status).toBe(200)
      expect((await watch('?after=1000')).status).toBe(409)
      const control = new AbortController()
      const going = fetch(`${server.url}/v1/runs/${run}/events`, {
        headers: bearer(server.token('ada')),
        signal: control.signal,
      })
      control.abort()
      await expect(going).rejects.toThrow('abort')
    }

    await hasRoom()
    const [first, second] = [reading(await watch()), reading(await watch())]
    await Promise.all([first.until('Half'), second.until('Half')])
    expect((await watch()).status).toBe(429)
  })
})
