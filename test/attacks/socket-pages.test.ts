import { describe, expect, it, vi } from 'vitest'

import { scriptedModel } from '../support/scripted-model.ts'
import { useServer } from '../support/use-server.ts'
import { socketClient } from '../support/socket-client.ts'
import { ask, exchange, statuses } from '../support/wire.ts'

const POLL = '/socket.io/?EIO=4&transport=polling'
const EVIL = 'https://evil.example'
const foreign: readonly Readonly<Record<string, string>>[] = [
  { origin: EVIL },
  { origin: 'null' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { host: 'evil.example' },
  { host: 'evil.example', origin: 'http://evil.example' },
  { 'x-forwarded-for': '203.0.113.9' },
]

describe('Socket.IO without tokens', () => {
  const server = useServer(scriptedModel())

  const sidOf = (text: string): string => (JSON.parse(text.slice(1)) as { sid: string }).sid
  const upgrade = (path: string, headers: Readonly<Record<string, string>>): string => {
    const all = {
      host: 'localhost',
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      ...headers,
    }
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
    return `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
  }

  it.each(foreign)('rejects %j at every request and upgrade', async (headers) => {
    const own = await ask(server.url, { path: POLL })
    const path = `${POLL}&sid=${sidOf(own.text)}`
    const websocket = '/socket.io/?EIO=4&transport=websocket'

    for (const packet of [
      { path: POLL },
      { path },
      { path, method: 'POST', body: '40' },
      { path, method: 'OPTIONS' },
    ])
      expect(await ask(server.url, { ...packet, headers })).toMatchObject({
        status: 403,
        json: { code: 'forbidden' },
        headers: { 'x-content-type-options': 'nosniff' },
      })
    for (const to of [websocket, `${websocket}&sid=${sidOf(own.text)}`]) {
      const came = await exchange(server.url, upgrade(to, headers))
      expect(statuses(came)).toEqual([403])
      expect(came).toContain('x-content-type-options: nosniff')
    }
    expect((await ask(server.url, { path, method: 'POST', body: '1' })).status).toBe(200)
  })

  it.each(['j=0', 'j=', '%6a=0', 'j=0&j=1', 'x=1&j'])('answers no JSONP request: %s', async (query) => {
    const own = await ask(server.url, { path: POLL })

    for (const path of [`${POLL}&${query}`, `${POLL}&${query}&sid=${sidOf(own.text)}`]) {
      const response = await ask(server.url, { path })
      expect(response).toMatchObject({ status: 400, json: { code: 'invalid-request' } })
      expect(response.text).not.toContain('___eio')
    }
    expect(
      (await ask(server.url, { path: `${POLL}&sid=${sidOf(own.text)}`, method: 'POST', body: '1' })).status,
    ).toBe(200)
  })

  it('sends X-Content-Type-Options: nosniff in every answer', async () => {
    const own = await ask(server.url, { path: POLL })
    const answers = [
      own,
      await ask(server.url, { path: `${POLL}&sid=unknown` }),
      await ask(server.url, { path: '/socket.io/?EIO=9&transport=smoke' }),
      await ask(server.url, { path: '/v1/threads' }),
      await ask(server.url, { path: '/nowhere' }),
      await ask(server.url, { path: '/health/stream' }),
      await ask(server.url, { path: '/docs' }),
      await ask(server.url, { path: '/jobs/chat', method: 'POST', body: '{' }),
      await ask(server.url, { path: '/jobs/chat', method: 'POST', body: { message: 'hello' } }),
      await ask(server.url, { path: '/v1/threads', headers: { origin: EVIL } }),
    ]

    for (const { headers } of answers)
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
      })
    const unreadable = await exchange(
      server.url,
      'GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n',
    )
    const tooLong = await exchange(server.url, `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)
    expect([statuses(unreadable), statuses(tooLong)]).toEqual([[400], [431]])
    for (const came of [unreadable, tooLong]) expect(came).toContain('x-content-type-options: nosniff')
  })
})

describe('an address with many unauthenticated connections', () => {
  const NEW = 3
  const server = useServer({
    ...scriptedModel(),
    users: ['ada'],
    flags: ['--require-token'],
    limits: { newSocketsPerAddress: NEW },
  })

  const begin = (address: string) => ask(server.url, { path: POLL, headers: { 'x-forwarded-for': address } })
  const joins = async (): Promise<void> => {
    using client = socketClient(server.url, { auth: { token: server.token('ada') }, reconnection: false })
    await client.ask('abort_run', {})
  }

  it('is rejected until they close; other addresses are not', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const handshakes = await Promise.all(Array.from({ length: NEW }, () => begin('203.0.113.9')))
      expect(handshakes.map(({ status }) => status)).toEqual([200, 200, 200])
      expect(await begin('203.0.113.9')).toMatchObject({
        status: 503,
        json: { code: 'overloaded' },
        headers: { 'retry-after': '5' },
      })
      expect((await begin('198.51.100.1')).status).toBe(200)

      vi.advanceTimersByTime(10_000)

      for (let n = 0; n < NEW; n++) expect((await begin('203.0.113.9')).status).toBe(200)
      expect((await begin('203.0.113.9')).status).toBe(503)
    } finally {
      vi.useRealTimers()
    }
    await joins()
  })

  it('is not charged for joined or rejected connections', async () => {
    for (let n = 0; n < 2 * NEW; n++) {
      await joins()
      await ask(server.url, { path: '/socket.io/?EIO=3&transport=polling' })
      await ask(server.url, { path: '/socket.io/?EIO=4&transport=smoke' })
    }
    expect((await ask(server.url, { path: POLL })).status).toBe(200)
  })
})
