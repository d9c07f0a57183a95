import { describe, expect, it } from 'vitest'

import { frame, rawSocket, type RawSocket } from '../support/raw-socket.ts'
import { useRawSockets } from '../support/use-raw-sockets.ts'
import { ask } from '../support/wire.ts'

const MIB = 1024 * 1024

describe('a connection of Socket.IO', () => {
  const { url, token, join, joinByPolling, expectOthersServed } = useRawSockets({})

  /** Writes as fast as the server reads, until it closes the connection. */
  const flood = async ({ connection, closed }: RawSocket, bytes: Uint8Array): Promise<void> => {
    let isClosed = false
    void closed.then(() => (isClosed = true))
    while (!isClosed) {
      if (connection.write(bytes)) await new Promise((resolve) => setImmediate(resolve))
      else await Promise.race([new Promise((resolve) => connection.once('drain', resolve)), closed])
    }
  }
  it.each([
    ['pings', frame('ping', 'p'.repeat(125))],
    ['empty pings', frame('ping')],
    ['pongs', frame('pong')],
    ['heartbeats of Socket.IO', frame('text', '3')],
    ['packets without content', frame('text', '6')],
    ['acknowledgements', frame('text', '43[]')],
    ['messages', frame('text', '42["message",{"type":"abort_run"}]')],
    ['events of any name', frame('text', `42["${'x'.repeat(200)}"]`)],
    ['other namespaces', frame('text', '40/somewhere,')],
  ])('is cut if it sends %s too fast, and reads nothing', async (_, one) => {
    const socket = await join()
    socket.connection.pause()
    await flood(socket, Buffer.concat(Array<Buffer>(200).fill(one)))

    await expectOthersServed()
  })

  it('is cut if its connections together send too fast', async () => {
    const sockets = await Promise.all(Array.from({ length: 4 }, () => join()))
    const pings = Buffer.concat(Array<Buffer>(1400).fill(frame('ping')))
    for (const { connection } of sockets) connection.write(pings)
    await Promise.race(sockets.map(({ closed }) => closed))

    await expectOthersServed()
  })

  it.each([
    ['a frame of bytes', [frame('binary', 'bytes')]],
    ['a packet that announces bytes', [frame('text', '451-["message",{"_placeholder":true,"num":0}]')]],
    ['an acknowledgement with bytes', [frame('text', '461-[{"_placeholder":true,"num":0}]')]],
    ['bytes in base64', [frame('text', 'bAAAA')]],
    ['a close frame amid others', [frame('close'), frame('ping')]],
  ])('is cut if it sends %s', async (_, frames) => {
    const socket = await join()
    socket.connection.write(Buffer.concat(frames))

    await socket.closed
  })

  it('cannot announce bytes over polling', async () => {
    const path = await joinByPolling()
    await ask(url(), { method: 'POST', path, body: '451-["message",{"_placeholder":true,"num":0}]' })

    expect((await ask(url(), { path })).text).toMatch(/1$/)
    expect((await ask(url(), { path })).status).toBe(400)
  })

  it('cannot send many packets in one body', async () => {
    const path = await joinByPolling()
    const body = '6\u001e'.repeat(MIB)

    await expect(ask(url(), { method: 'POST', path, body })).rejects.toThrow()
    await expectOthersServed()
  })

  it('is cut if it comes and goes too fast', async () => {
    const storm = async (): Promise<void> => {
      for (;;) {
        const socket = await join()
        socket.connection.end(frame('close'))
        await socket.closed
      }
    }

    await expect(storm()).rejects.toThrow('The server has closed the connection')
    await expectOthersServed()
  })

  it('cannot ask to join twice at once', async () => {
    using socket = await rawSocket(url())
    const connect = frame('text', `40${JSON.stringify({ token: token() })}`)
    socket.connection.write(Buffer.concat([connect, connect]))

    await socket.closed
  })

  it('may try another token after a wrong one', async () => {
    using socket = await rawSocket(url())
    socket.connection.write(frame('text', '40{"token":"dgm_wrong"}'))
    await socket.until('44{"message"')
    socket.connection.write(frame('text', `40${JSON.stringify({ token: token() })}`))

    await socket.until('40{"sid"')
  })
})
