import { frame } from '../../../test/support/raw-socket.ts'
import { toAgUiBody } from '../chats.ts'
import type { Attack, AttackKind } from '../attack.ts'
import { joinWebSocket, openWebSocket, writeSlowly } from '../web-socket.ts'

/** A stranger and a user of Socket.IO. */

const MIB = 2 ** 20
const POLL = '/socket.io/?EIO=4&transport=polling'
const ADDRESSES = 50

export const socketKinds: readonly AttackKind[] = [
  {
    name: 'handshakes of Socket.IO',
    play: ({ ask, repeat }) => repeat(32, () => ask({ path: `${POLL}&sid=` })),
  },
  {
    name: 'silent sockets of fifty addresses',
    play: (attack) => {
      let count = 0
      const nextAddress = (): string | undefined =>
        attack.target.address?.replace(/1$/, String((count++ % ADDRESSES) + 1))
      return attack.hold(1000, () => openWebSocket(attack, nextAddress()))
    },
  },
  {
    name: 'sockets that join and leave',
    play: (attack) => attack.repeat(16, async () => (await joinWebSocket(attack)).destroy()),
  },
  { name: 'pings whose pongs are not read', play: (attack) => flood(attack, frame('ping', 'p'.repeat(125))) },
  {
    name: 'packets of Socket.IO',
    play: (attack) => flood(attack, frame('text', '42["message",{"type":"abort_run"}]')),
  },
  {
    name: 'binary attachments',
    play: (attack) => {
      const announced = Array.from({ length: 10 }, (_, num) => `{"_placeholder":true,"num":${num}}`).join(',')
      return send(attack, [
        frame('text', `4510-["message",${announced}]`),
        ...Array<Buffer>(9).fill(frame('binary', Buffer.alloc(19 * MIB, 1))),
      ])
    },
  },
  {
    name: 'halves of messages',
    play: (attack) => send(attack, [frame('text', Buffer.alloc(12 * MIB, 65), { length: 19 * MIB })]),
  },
  {
    name: 'messages in very many pieces',
    play: (attack) =>
      send(attack, [
        frame('text', '42', { isLast: false }),
        ...Array<Buffer>(200).fill(
          Buffer.concat(Array<Buffer>(1000).fill(frame('rest', 'x', { isLast: false }))),
        ),
      ]),
  },
  {
    name: 'messages of 15 MB that wait',
    play: (attack) => {
      const content = 'x'.repeat(15_000_000)
      const data = toAgUiBody('waiting', content, { forwardedProps: { agent: 'assistant' } })
      const message = frame('text', `42${JSON.stringify(['message', { type: 'run_agent', data }])}`)
      return send(attack, Array<Buffer>(20).fill(message))
    },
  },
]

/** Eight sockets that write without a pause and read nothing. */
function flood(attack: Attack, packet: Buffer): Promise<void> {
  const bytes = Buffer.concat(Array<Buffer>(100).fill(packet))
  return attack.repeat(8, async () => {
    const socket = await joinWebSocket(attack)
    while (!socket.destroyed) {
      await writeSlowly(socket, bytes)
      await new Promise((resolve) => setImmediate(resolve))
    }
  })
}

/** Eight sockets that write these, and keep silent afterwards until they are cut. */
function send(attack: Attack, pieces: readonly Buffer[]): Promise<void> {
  return attack.hold(8, async () => {
    const socket = await joinWebSocket(attack)
    void (async () => {
      for (const piece of pieces) await writeSlowly(socket, piece)
    })()
    return socket
  })
}
