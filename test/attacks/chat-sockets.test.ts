import { describe, expect, it } from 'vitest'

import { frame, rawSocket, type RawSocket } from '../support/raw-socket.ts'
import { says, step } from '../support/scripted-model.ts'
import { useRawSockets } from '../support/use-raw-sockets.ts'
import { exchange, statuses } from '../support/wire.ts'

const KIB = 1024
const MIB = KIB * KIB

describe('one user of WebSockets at a chat', () => {
  const { model, url, token, closeAfterwards, expectOthersServed } = useRawSockets({
    // Of these, one user may hold 15.
    bytesInFlight: 20 * MIB,
    waitingPerUser: 20,
  })
  const join = async (): Promise<RawSocket> => {
    const socket = await rawSocket(url(), { path: `/jobs/chat?token=${token()}` })
    closeAfterwards(socket)
    return socket
  }
  const joinMany = (count: number): Promise<RawSocket[]> =>
    Promise.all(Array.from({ length: count }, () => join()))
  const send = (requestId: string, text: string): Buffer => {
    const messages = [{ id: 'm', role: 'user', parts: [{ type: 'text', text }] }]
    const message = { type: 'send', requestId, id: requestId, headers: {}, body: {}, messages }
    return frame('text', JSON.stringify(message))
  }

  it('cannot fill the memory with halves of frames', async () => {
    const sockets = await joinMany(10)
    for (const { connection } of sockets)
      connection.write(frame('text', Buffer.alloc(3 * MIB, 65), { length: 4 * MIB }))
    await Promise.any(sockets.map(({ closed }) => closed))

    await expectOthersServed()
  })

  it('is cut if it sends too fast', async () => {
    const socket = await join()
    socket.connection.pause()
    socket.connection.on('error', () => undefined)
    const bad = Buffer.concat(Array<Buffer>(6000).fill(frame('text', '{}')))
    socket.connection.write(bad)
    socket.connection.resume()
    await socket.closed

    await expectOthersServed()
  })

  it('has no more sockets than readers', async () => {
    const path = `/jobs/chat?token=${token()}`
    await joinMany(16)
    await expect(rawSocket(url(), { path })).rejects.toThrow('16 of your connections are open')

    await expectOthersServed()
  })

  it('that reads late gets the whole answer, in its order', async () => {
    model.play([step(says(...Array<string>(40).fill('x'.repeat(100_000))))])
    const socket = await join()
    socket.connection.pause()
    socket.connection.write(send('r1', 'Speak'))
    await expectOthersServed()
    socket.connection.resume()
    await socket.until('"type":"end"')

    const chunks = socket.received().match(/"sequence":\d+/g) ?? []
    expect(chunks.map((each) => Number(each.slice('"sequence":'.length)))).toEqual(chunks.map((_, at) => at))
  })

  it.each([
    ['a foreign origin', { origin: 'https://evil.example' }, 403],
    ['no token', { token: '' }, 401],
  ])(
    'is refused with %s, as any request',
    async (_, { origin, token: other }: Record<string, string>, status) => {
      const lines =
        `GET /jobs/chat?token=${other ?? token()} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n` +
        'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n' +
        `${origin === undefined ? '' : `Origin: ${origin}\r\n`}\r\n`
      const reply = await exchange(url(), lines)

      expect(statuses(reply)).toEqual([status])
      expect(reply).toContain('x-content-type-options: nosniff')
    },
  )
})
