import { afterEach, describe, expect, it } from 'vitest'

import { rawSocket, type RawSocket } from '../support/raw-socket.ts'
import { scriptedModel } from '../support/scripted-model.ts'
import { useServer } from '../support/use-server.ts'
import { ask, exchange, statuses } from '../support/wire.ts'

const PATH = '/socket.io/?EIO=4&transport=polling'

const OF_ONE_ADDRESS = 3

/** A server whose newcomers come from many addresses. */
function useCrowd(newSockets: number) {
  const server = useServer({
    ...scriptedModel(),
    users: ['ada'],
    flags: ['--require-token'],
    limits: { newSocketsPerAddress: OF_ONE_ADDRESS, newSockets },
  })
  let addresses = 0
  const opened = new Set<Disposable>()
  afterEach(() => {
    for (const each of opened) each[Symbol.dispose]()
    opened.clear()
  })
  const handshake = async (address: string, path: string): Promise<number> =>
    (await ask(server.url, { path, headers: { 'x-forwarded-for': address } })).status
  return {
    server,
    newAddress: (): string => `203.0.113.${(addresses += 1)}`,
    handshake,
    async handshakes(address: string, path: string): Promise<number[]> {
      const found: number[] = []
      for (let n = 0; n < 2 * OF_ONE_ADDRESS; n++) found.push(await handshake(address, path))
      return found
    },
    async open(address: string, user?: string): Promise<RawSocket> {
      const headers = `X-Forwarded-For: ${address}\r\n`
      const token = user === undefined ? {} : { token: server.token(user) }
      const socket = await rawSocket(server.url, { headers, ...token })
      opened.add(socket)
      return socket
    },
  }
}

describe('new connections of Socket.IO', () => {
  const { server, newAddress, handshake, handshakes } = useCrowd(1000)

  it.each([
    '',
    '&sid=',
    '&sid',
    '&sid=&sid=',
    '&sid=unknown&sid=',
    '&%73id=',
    '&t=1&t=2',
    '&b64=1',
    '&EIO=3&EIO=4',
    '&transport=websocket&transport=polling',
    '#&sid=x',
  ])('count as new ones of their address: %s', async (query) => {
    const found = await handshakes(newAddress(), `${PATH}${query}`)

    expect(found).toEqual([200, 200, 200, 503, 503, 503])
  })

  it('count as those of their network', async () => {
    const found: number[] = []
    for (let n = 1; n <= 4; n++) found.push(await handshake(`2001:db8:1:2::${n}`, PATH))

    expect(found).toEqual([200, 200, 200, 503])
    expect(await handshake('2001:db8:1:3::1', PATH)).toBe(200)
  })

  it.each([
    '/socket.io/?EIO=3&transport=polling',
    '/socket.io/?EIO=4&EIO=3&transport=polling',
    '/socket.io/?EIO=4&transport=webtransport',
    '/socket.io/?EIO=4&transport=__proto__',
    '/socket.io/?EIO=4&transport=websocket',
    '/socket.io/?EIO=4&transport=polling&sid=__proto__',
    '/socket.io/',
  ])('do not count if they are none: %s', async (path) => {
    const address = newAddress()
    expect(await handshakes(address, path)).toEqual(Array(2 * OF_ONE_ADDRESS).fill(400))

    expect(await handshake(address, PATH)).toBe(200)
  })

  it.each([
    ['of polling', 'transport=polling', 'dGhlIHNhbXBsZSBub25jZQ=='],
    ['without a key', 'transport=websocket', ''],
    ['with a wrong session', 'transport=websocket&sid=unknown', 'dGhlIHNhbXBsZSBub25jZQ=='],
  ])('do not count after an upgrade %s', async (_, query, key) => {
    const address = newAddress()
    const upgrade =
      `GET /socket.io/?EIO=4&${query} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n` +
      `Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n` +
      `X-Forwarded-For: ${address}\r\n\r\n`
    for (let n = 0; n < 2 * OF_ONE_ADDRESS; n++)
      expect(statuses(await exchange(server.url, upgrade))).not.toContain(503)

    expect(await handshake(address, PATH)).toBe(200)
  })
})

describe('new connections of Socket.IO that find all places taken', () => {
  const { newAddress, open } = useCrowd(2 * OF_ONE_ADDRESS)

  it('make room for others: the oldest of the address that has most goes', async () => {
    const [many, few, other] = [newAddress(), newAddress(), newAddress()]
    const oldest = await open(many)
    const [second] = [await open(many), await open(many)]
    const rest = [await open(few), await open(few)]
    const last = await open(few)
    // All places are taken, of two addresses alike.
    await open(other, 'ada')
    const address = await Promise.race([
      oldest.closed.then(() => 'many'),
      ...[...rest, last].map(({ closed }) => closed.then(() => 'few')),
    ])
    expect(address).toBe('many')

    // The one that has joined is no newcomer.
    await open(other)
    await open(other)
    await Promise.race([second?.closed, rest[0]?.closed])
  })

  it('have the places of no user', async () => {
    // One after the other: until it has joined, each is a new one itself.
    const sockets: RawSocket[] = []
    for (let n = 0; n < 10; n++) sockets.push(await open(newAddress(), 'ada'))
    for (let n = 0; n < 20; n++) await open(newAddress())

    const isClosed = await Promise.race([
      Promise.race(sockets.map(({ closed }) => closed)).then(() => true),
      open(newAddress(), 'ada').then(() => false),
    ])
    expect(isClosed).toBe(false)
  })
})
