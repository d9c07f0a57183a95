import { describe, expect, it } from 'vitest'

import { frame, rawSocket } from '../support/raw-socket.ts'
import { says, step } from '../support/scripted-model.ts'
import { isRunEnd, runAgent, socketClient } from '../support/socket-client.ts'
import { useRawSockets } from '../support/use-raw-sockets.ts'
import { line } from '../support/wire.ts'

const KIB = 1024
const MIB = KIB * KIB

describe('one user of Socket.IO', () => {
  const { model, url, token, join, joinByPolling, closeAfterwards, expectOthersServed } = useRawSockets({
    // Of these, one user may hold 15.
    bytesInFlight: 20 * MIB,
    waitingPerUser: 20,
  })

  /** Sends 3 MB of a message and stops. */
  const halves: readonly (readonly [string, () => Promise<readonly Promise<unknown>[]>])[] = [
    [
      'halves of frames',
      async () => {
        const sockets = await Promise.all(Array.from({ length: 10 }, () => join()))
        for (const { connection } of sockets)
          connection.write(frame('text', Buffer.alloc(3 * MIB, 65), { length: 4 * MIB }))
        return sockets.map(({ closed }) => closed)
      },
    ],
    [
      'messages in pieces',
      async () => {
        const sockets = await Promise.all(Array.from({ length: 10 }, () => join()))
        const piece = frame('rest', Buffer.alloc(64 * KIB, 65), { isLast: false })
        const more = Buffer.concat(Array<Buffer>(48).fill(piece))
        for (const { connection } of sockets)
          connection.write(Buffer.concat([frame('text', '42', { isLast: false }), more]))
        return sockets.map(({ closed }) => closed)
      },
    ],
    [
      'bytes that belong nowhere',
      async () => {
        const sockets = await Promise.all(Array.from({ length: 10 }, () => join()))
        for (const { connection } of sockets)
          connection.write(frame('binary', Buffer.alloc(3 * MIB, 1), { length: 4 * MIB }))
        return sockets.map(({ closed }) => closed)
      },
    ],
    [
      'halves of bodies',
      async () => {
        const paths = await Promise.all(Array.from({ length: 10 }, () => joinByPolling()))
        return paths.map((path) => {
          const connection = line(url())
          connection.resume()
          closeAfterwards({ [Symbol.dispose]: () => void connection.destroy() })
          connection.write(
            `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${4 * MIB}\r\n\r\n` +
              'A'.repeat(3 * MIB),
          )
          return new Promise((resolve) => connection.once('close', resolve))
        })
      },
    ],
  ]
  it.each(halves)('cannot fill the memory with %s', async (_, send) => {
    await Promise.any(await send())

    await expectOthersServed()
  })

  it('cannot let many messages wait, over all its connections', async () => {
    const message = frame('text', '42["message",{"type":"message_feedback","data":{"messageId":"m"}}]')
    const sockets = await Promise.all(Array.from({ length: 3 }, () => join()))
    for (const { connection } of sockets) connection.write(Buffer.concat(Array<Buffer>(30).fill(message)))
    await Promise.any(sockets.map(({ closed }) => closed))

    await expectOthersServed()
  })

  it('is not read while large messages wait, and loses none', async () => {
    using client = socketClient(url(), { auth: { token: token() }, reconnection: false })
    const much = 'x'.repeat(3 * MIB)
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => client.ask('message_feedback', { messageId: `m${n}`, much })),
    )

    expect(answers).toEqual(Array.from({ length: 8 }, () => ({ ok: true })))
    expect(client.socket.connected).toBe(true)
  })

  describe('with a large conversation', () => {
    const SOCKETS = 12
    const follow = (runId: string): Buffer =>
      frame('text', `42["message",{"type":"follow_run","data":{"runId":"${runId}"}}]`)
    const converse = async (): Promise<string> => {
      using client = socketClient(url(), { auth: { token: token() }, reconnection: false })
      model.play([step(says('Yes.'))])
      const messages = Array.from({ length: 35 }, (_, n) => ({
        id: `m${n}`,
        role: 'user',
        content: String(n).repeat(60_000),
      }))
      const { runId } = await client.ask('run_agent', runAgent(`t`, `r`, '', { messages }))
      await client.until(isRunEnd(`r`))
      return String(runId)
    }

    it('gets it over many connections, each in its turn', async () => {
      const runId = await converse()
      const sockets = await Promise.all(Array.from({ length: SOCKETS }, () => join()))
      for (const { connection } of sockets) connection.write(follow(runId))

      await Promise.all(sockets.map((socket) => socket.until('RUN_FINISHED')))
    })
  })

  it('has its places again once its connections have closed', async () => {
    for (let n = 0; n < 30; n++) {
      const socket = await join()
      socket.connection.end(frame('close'))
      await socket.closed
    }
    for (let n = 0; n < 16; n++) await join()
    using socket = await rawSocket(url())
    socket.connection.write(frame('text', `40${JSON.stringify({ token: token() })}`))
    await socket.until('16 of your connections are open already')
  })
})

describe('one user of Socket.IO on a small server', () => {
  const { join, expectOthersServed } = useRawSockets({ bytesInFlight: 4 * MIB })

  it('cannot fill the memory with messages in very many pieces', async () => {
    const sockets = await Promise.all(Array.from({ length: 15 }, () => join()))
    const pieces = Array<Buffer>(2000).fill(frame('rest', 'x', { isLast: false }))
    const begin = frame('text', '4', { isLast: false })
    for (const { connection } of sockets) connection.write(Buffer.concat([begin, ...pieces]))
    await Promise.any(sockets.map(({ closed }) => closed))
    for (const socket of sockets) socket[Symbol.dispose]()

    await expectOthersServed()
  })
})
