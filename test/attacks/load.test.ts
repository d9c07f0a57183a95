import { once } from 'node:events'
import type { Socket } from 'node:net'

import { afterEach, describe, expect, it } from 'vitest'

import { reading } from '../support/event-stream.ts'
import { gate } from '../support/gate.ts'
import { chatRequest } from '../support/http.ts'
import { says, scriptedModel, step } from '../support/scripted-model.ts'
import { openServer, type ServerOptions, type TestServer } from '../support/server.ts'
import { bearer } from '../support/users.ts'
import { ask, exchange, line, statuses } from '../support/wire.ts'

let server: TestServer
let sockets: Socket[] = []
const open = async (limits: NonNullable<ServerOptions['limits']>, more: Partial<ServerOptions> = {}) => {
  const { models } = scriptedModel([])
  const flags = ['--require-token', '--rate-limit', '0']
  server = await openServer({ models, users: ['ada', 'bob', 'eve'], flags, limits, ...more })
}
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  sockets = []
  await server[Symbol.asyncDispose]()
})

const as = (user: string, path = '/v1/threads') =>
  ask(server.url, { path, headers: bearer(server.token(user)) })
/** Sends part of a body: the request is in progress for as long as the rest does not come. */
const hold = (user: string, bytes = 10): Socket => {
  const socket = line(server.url)
  socket.write(
    `POST /v1/threads HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${server.token(user)}\r\n` +
      'Content-Length: 4000000\r\n\r\n',
  )
  socket.write(' '.repeat(bytes))
  sockets.push(socket)
  return socket
}
const FULL = 'The requests in progress hold as many bytes as they may.'
const refusal = (status: number, code: string, error: string) => ({
  status,
  headers: { 'retry-after': '1' },
  json: { error, code, retryAfter: 1 },
})

describe('requests in progress', () => {
  it('are limited per user and in total', async () => {
    await open({ requestsPerUser: 2, requests: 4 })
    /** Another request of the user while there is room: this look at the server may have taken the place of one. */
    const look = async (user: string, holder: string): Promise<unknown> => {
      const answer = await as(user)
      if (answer.status === 200) hold(holder)
      return answer
    }

    await expect
      .poll(() => look('ada', 'ada'))
      .toMatchObject(refusal(429, 'rate-limited', '2 of your requests are in progress already.'))
    expect((await as('bob')).status).toBe(200)

    const adas = [...sockets]
    await expect
      .poll(() => look('eve', 'bob'))
      .toMatchObject(refusal(503, 'overloaded', '4 requests are in progress already.'))
    expect((await ask(server.url, { path: '/health' })).status).toBe(200)

    for (const socket of adas) socket.destroy()
    await expect.poll(async () => (await as('eve')).status).toBe(200)
    await expect.poll(async () => (await as('ada')).status).toBe(200)
  })

  it('do not include streaming answers', async () => {
    const wait = gate()
    const { models } = scriptedModel([step(says('Half', wait, ' done.'))])
    await open({ requestsPerUser: 2, requests: 3 }, { models })
    const headers = bearer(server.token('ada'))
    const began = await fetch(`${server.url}/jobs/chat`, {
      method: 'POST',
      headers,
      body: JSON.stringify(chatRequest('go')),
    })
    const run = String(began.headers.get('x-run-id'))
    const readers = [reading(began)]
    for (let n = 0; n < 6; n++)
      readers.push(reading(await fetch(`${server.url}/v1/runs/${run}/events`, { headers })))
    await Promise.all(readers.map((reader) => reader.until('Half')))

    expect((await as('ada')).status).toBe(200)
    wait.open()
    await Promise.all(readers.map((reader) => reader.whole()))
  })

  it('of one connection run in order and are all answered', async () => {
    await open({ requestsPerConnection: 2, requestsPerUser: 2, requests: 2 })
    const head = `GET /v1/threads HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${server.token('ada')}\r\n`

    const came = await exchange(server.url, `${head}\r\n`.repeat(499), `${head}Connection: close\r\n\r\n`)

    expect(statuses(came)).toEqual(Array(500).fill(200))
  })

  it('hold a limited number of body bytes', async () => {
    await open({ bytesInFlight: 1_000_000 })
    const receive = async (socket: Socket): Promise<string> => String((await once(socket, 'data'))[0])

    const alone = await receive(hold('bob', 3_000_000))
    let together = ''
    let held: Socket[] = []
    await expect
      .poll(async () => {
        // On a busy machine the first answer may be that a body comes too slowly.
        for (const socket of held) socket.destroy()
        held = [hold('ada', 900_000), hold('eve', 700_000)]
        // Whichever comes to the server last is refused.
        return (together = await Promise.race(held.map(receive)))
      })
      .toContain(' 503 ')
    for (const refusalText of [alone, together]) {
      expect(refusalText).toContain(' 503 ')
      expect(refusalText).toContain(FULL)
    }

    for (const socket of held) socket.destroy()
    const body = JSON.stringify({ title: 'x'.repeat(10), more: ' '.repeat(800_000) })
    const headers = bearer(server.token('eve'))
    await expect
      .poll(
        async () => (await ask(server.url, { method: 'POST', path: '/v1/threads', headers, body })).status,
      )
      .toBe(201)
  })
})

describe('the OpenAPI document', () => {
  it.each(['/openapi.json', '/docs'])('at %s is built once and has an ETag', async (path) => {
    await open({})
    const response = await as('ada', path)
    const again = await as('ada', path)
    const etag = String(response.headers['etag'])

    expect(again.headers['etag']).toBe(etag)
    expect(again.text).toBe(response.text)
    for (const header of [etag, `W/${etag}`, `"other", ${etag}`])
      expect(
        await ask(server.url, {
          path,
          headers: { ...bearer(server.token('ada')), 'if-none-match': header },
        }),
      ).toMatchObject({ status: 304, text: '' })
    expect(
      await ask(server.url, { path, headers: { ...bearer(server.token('ada')), 'if-none-match': '"x"' } }),
    ).toMatchObject({ status: 200 })
  })
})

describe('a thread with many concurrent requests', () => {
  // Some of them are larger than what is read together.
  const sizes = [10, 1_500_000, 20, 700_000, 600_000, 30]
  /**
   * The id of a thread with messages of these sizes, each answered, on a server with room for less than all of it
   * twice.
   */
  const filled = async (): Promise<string> => {
    const { models } = scriptedModel(Array.from({ length: 6 }, () => step(says('Yes.'))))
    await open({ bytesInFlight: 4_000_000, messageBytes: 4_000_000 }, { models })
    const headers = bearer(server.token('ada'))
    const { json } = await ask(server.url, { method: 'POST', path: '/v1/threads', headers, body: {} })
    const thread = String(json['id'])
    for (const [n, size] of sizes.entries())
      await ask(server.url, {
        method: 'POST',
        path: `/v1/threads/${thread}/runs`,
        headers,
        body: { message: `${n} ${'x'.repeat(size)}` },
      })
    return thread
  }

  it.each([
    ['/v1', (thread: string) => `/v1/threads/${thread}/messages`],
    ['the chat', (thread: string) => `/jobs/chat/history?conversationId=${thread}`],
    ['useChat', (thread: string) => `/jobs/chat/history?conversationId=${thread}&format=ui`],
  ])(
    'returns the whole history each time: %s',
    async (_surface, pathOf) => {
      const thread = await filled()
      const path = pathOf(thread)
      const head = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${server.token('ada')}\r\n`

      const whole = await as('ada', path)
      const came = await exchange(server.url, `${head}\r\n`.repeat(19), `${head}Connection: close\r\n\r\n`)

      expect(whole.json['messages']).toHaveLength(12)
      expect(statuses(came)).toEqual(Array(20).fill(200))
      expect(came.length).toBeGreaterThan(20 * whole.text.length)
    },
    60_000,
  )

  it('exports all messages in order', async () => {
    const thread = await filled()
    const head = (format: string): string =>
      `GET /v1/threads/${thread}/export?format=${format} HTTP/1.1\r\nHost: localhost\r\n` +
      `Authorization: Bearer ${server.token('ada')}\r\n`

    const whole = await as('ada', `/v1/threads/${thread}/export`)
    const came = await exchange(
      server.url,
      `${head('json')}\r\n`.repeat(29),
      `${head('markdown')}Connection: close\r\n\r\n`,
    )

    const { messages } = whole.json as unknown as { messages: { role: string; parts: { text: string }[] }[] }
    const questions = messages.filter(({ role }) => role === 'user').map(({ parts }) => parts[0]?.text ?? '')
    expect(questions.map((text) => [text[0], text.length])).toEqual(
      sizes.map((size, n) => [String(n), size + 2]),
    )
    expect(messages).toHaveLength(12)
    expect(statuses(came)).toEqual(Array(30).fill(200))
    const one = whole.text.length - 'exportedAt'.length
    expect(came.length).toBeGreaterThan(29 * one)
  }, 60_000)
})
