import type { Socket } from 'node:net'

import type { Attack, AttackKind } from '../attack.ts'
import { requestBytes } from '../send-request.ts'

/** A stranger who opens connections and sends little. */
export const connectionKinds: readonly AttackKind[] = [
  { name: 'silent connections', play: ({ hold, open, target }) => hold(600, () => open(target.address)) },
  {
    name: 'silent connections from the address of the users',
    play: ({ hold, open }) => hold(600, () => open('127.0.0.1')),
  },
  {
    name: 'connections that come and go',
    play: ({ repeat, open, target }) => repeat(20, async () => (await open(target.address)).destroy()),
  },
  {
    name: 'heads byte by byte',
    play: (attack) => attack.hold(600, () => drip(attack, 'GET / HTTP/1.1\r\nX-Long: ', 'x', 200)),
  },
  {
    name: 'slow bodies without a token',
    play: (attack) => attack.hold(520, () => drip(attack, slowHead(), 'x'.repeat(300), 1000)),
  },
  {
    name: 'slow bodies with a token',
    play: (attack) => {
      const token = `Authorization: Bearer ${attack.target.token}\r\n`
      return attack.hold(520, () => drip(attack, slowHead('/v1/threads', token), ' '.repeat(300), 1000))
    },
  },
  {
    name: 'pages that a stranger does not read',
    play: (attack) => attack.hold(40, () => openUnread(attack, requestBytes({ path: '/' }).repeat(64))),
  },
  {
    name: 'documents that a stranger does not read',
    play: (attack) =>
      attack.hold(40, () => openUnread(attack, requestBytes({ path: '/openapi.json' }).repeat(64))),
  },
  {
    name: 'requests that are none',
    play: ({ repeat, open, target }) =>
      repeat(10, async () => {
        const socket = await open(target.address)
        socket.end(`\r\nNO REQUEST\r\n${'x: y\r\n'.repeat(2000)}`)
      }),
  },
]

async function drip(attack: Attack, head: string, piece: string, everyMs: number): Promise<Socket> {
  const socket = await attack.open(attack.target.address)
  socket.write(head)
  const timer = setInterval(() => socket.write(piece), everyMs)
  socket.once('close', () => clearInterval(timer))
  return socket
}

async function openUnread({ open, target }: Attack, bytes: string): Promise<Socket> {
  const socket = await open(target.address)
  socket.write(bytes)
  return socket
}

function slowHead(path = '/auth/sign-in', fields = ''): string {
  return (
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${fields}Content-Type: application/json\r\n` +
    'Content-Length: 15000\r\n\r\n{"token":"'
  )
}
