import type { Socket } from 'node:net'

import { afterEach, describe, expect, it } from 'vitest'

import type { ServerPlugin } from '../../packages/dragoman/src/index.ts'
import type { ObserverPorts } from '../../packages/dragoman/src/observability/index.ts'
import { scriptedModel } from '../support/scripted-model.ts'
import { openServer, type ServerOptions, type TestServer } from '../support/server.ts'
import { bearer } from '../support/users.ts'
import { ask, exchange, line, statuses } from '../support/wire.ts'

const LIMITS = {
  requestsPerUser: 4,
  requests: 8,
  requestsPerAddress: 4,
  requestsWithoutUser: 8,
  connectionsPerAddress: 40,
  connectionsWithoutUser: 60,
  waitingPerUser: 64,
  waiting: 128,
}

let server: TestServer
let readLoad: ObserverPorts['load']
const watch: ServerPlugin = {
  name: 'watch',
  async observe(_config, { load }) {
    readLoad = load
    return undefined
  },
}
const total = (kind: string, pool: string) =>
  readLoad().find((each) => each.kind === kind && each.pool === pool)
const usedWithoutUser = (kind: string) => total(kind, 'addresses')?.used
let sockets: Socket[] = []
const open = async (more: Partial<ServerOptions> = {}): Promise<void> => {
  const flags = ['--require-token', '--rate-limit', '0', ...(more.flags ?? [])]
  const { models } = scriptedModel([])
  server = await openServer({
    models,
    users: ['ada', 'bob'],
    limits: LIMITS,
    plugins: [watch],
    ...more,
    flags,
  })
}
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  sockets = []
  await server[Symbol.asyncDispose]()
})

/** A connection that sends this and reads nothing. */
const send = (bytes: string): Socket => {
  const socket = line(server.url)
  socket.pause()
  socket.write(bytes)
  sockets.push(socket)
  return socket
}
const head = (method: string, path: string, ...lines: readonly string[]): string =>
  [`${method} ${path} HTTP/1.1`, 'Host: localhost', ...lines, '', ''].join('\r\n')
const slowBody = (path: string, ...lines: readonly string[]): string =>
  `${head('POST', path, 'Content-Type: application/json', 'Content-Length: 9000', ...lines)}{"token":"`
const from = (address: string): string => `X-Forwarded-For: ${address}`

const threads = async (user: string): Promise<number> =>
  (await ask(server.url, { path: '/v1/threads', headers: bearer(server.token(user)) })).status
const signIn = async (headers: Readonly<Record<string, string>> = {}): Promise<number> =>
  (
    await ask(server.url, {
      method: 'POST',
      path: '/auth/sign-in',
      headers,
      body: { token: server.token('ada') },
    })
  ).status

/** Users are answered, and anybody can sign in from the same and from another address. */
const expectService = async (): Promise<void> => {
  for (let n = 0; n < 4; n++) expect([await threads('ada'), await threads('bob')]).toEqual([200, 200])
  expect(await signIn()).toBe(200)
  expect(await signIn({ 'x-forwarded-for': '192.0.2.7' })).toBe(200)
  expect((await ask(server.url, { path: '/health' })).status).toBe(200)
}

describe('callers without a user', () => {
  it.each([
    ['slow bodies', () => slowBody('/auth/sign-in')],
    [
      'slow bodies in chunks',
      () => `${head('POST', '/auth/sign-in', 'Transfer-Encoding: chunked')}9\r\n{"token":`,
    ],
    [
      'bodies that wait to continue',
      () => head('POST', '/auth/sign-in', 'Expect: 100-continue', 'Content-Length: 9'),
    ],
    ['slow heads', () => 'GET /v1/threads HTTP/1.1\r\nHost: localhost\r\nX-Slow: '],
    ['connections that say nothing', () => ''],
    ['large heads', () => slowBody('/auth/sign-in', `X-Large: ${'x'.repeat(12_000)}`)],
    ['wrong tokens with slow bodies', () => slowBody('/v1/threads', 'Authorization: Bearer dgm_wrong')],
    ['slow bodies of preflight requests', () => slowBody('/v1/threads').replace('POST', 'OPTIONS')],
    ['slow bodies for /health', () => slowBody('/health')],
    ['pipelined answers that are not read', () => head('GET', '/openapi.json').repeat(64)],
    ['pipelined pages that are not read', () => head('GET', '/').repeat(64)],
    ['slow bodies of many addresses', (n: number) => slowBody('/auth/sign-in', from(`10.1.${n}.1`))],
    [
      'slow bodies of many IPv6 networks',
      (n: number) => slowBody('/auth/sign-in', from(`2001:db8:0:${n}::1`)),
    ],
  ])('do not keep users out with %s', async (_what, bytesOf) => {
    await open()
    for (let n = 0; n < 80; n++) send(bytesOf(n))

    await expectService()
  })

  it('end no request of a user that came with theirs', async () => {
    await open()
    const wrong = head('GET', '/v1/threads', 'Authorization: Bearer dgm_wrong')
    for (let n = 0; n < 30; n++) {
      for (let flood = 0; flood < 8; flood++) send(wrong.repeat(64)).resume()
      expect(await threads('ada')).toBe(200)
    }
  })

  it('make room for newer ones: the oldest of the address that has most is closed', async () => {
    await open()
    const order: string[] = []
    const hold = (name: string, address: string): void => {
      const socket = send(slowBody('/auth/sign-in', from(address)))
      socket.resume()
      socket.once('close', () => order.push(name))
    }
    for (let n = 0; n < 4; n++) {
      hold(`a${n}`, '10.0.0.1')
      hold(`b${n}`, `10.0.${n}.2`)
    }
    await expect.poll(() => usedWithoutUser('requests')).toBe(8)
    hold('c', '10.0.9.3')
    await expect.poll(() => order.length).toBe(1)
    hold('a4', '10.0.0.1')
    await expect.poll(() => usedWithoutUser('requests')).toBe(8)
    expect(order.every((name) => name.startsWith('a'))).toBe(true)
  })

  it('share the places of their IPv6 network', async () => {
    await open()
    const networks = ['2001:db8::1', '2001:db8::2', '2001:db8:0:0:5::1', '2001:db8::ffff', '2001:db8::5']
    for (const address of networks) send(slowBody('/auth/sign-in', from(address)))

    await expect.poll(() => total('requests', 'addresses')?.refusals).toBe(1)
    expect(usedWithoutUser('requests')).toBe(4)
  })

  it('may sign in only with a small body', async () => {
    await open()
    const came = await exchange(server.url, head('POST', '/auth/sign-in', 'Content-Length: 20000'))

    expect(statuses(came)).toEqual([413])
  })
})

describe('guests', () => {
  it('do not keep users out', async () => {
    await open({ flags: ['--guests'], capability: { guests: { paths: ['/jobs/chat'] } } as never })
    for (let n = 0; n < 40; n++) send(slowBody('/jobs/chat', from(`10.2.${n}.1`)))

    await expect.poll(() => total('requests', 'guests')?.used).toBe(4)
    expect([await threads('ada'), await threads('bob')]).toEqual([200, 200])
  })
})

describe('a user who reads nothing', () => {
  it('uses up their own share alone', async () => {
    await open()
    const request = head('GET', '/v1/threads', `Authorization: Bearer ${server.token('bob')}`)
    for (let n = 0; n < 8; n++) send(slowBody('/v1/threads', `Authorization: Bearer ${server.token('bob')}`))

    await expect.poll(() => threads('bob')).toBe(429)
    for (let n = 0; n < 8; n++) send(request.repeat(64))
    expect(await threads('ada')).toBe(200)
    expect(await signIn()).toBe(200)
  })
})
