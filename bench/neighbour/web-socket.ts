import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'

import { frame } from '../../test/support/raw-socket.ts'
import type { Attack } from './attack.ts'

/** Opens a WebSocket of Socket.IO without a user, which reads nothing. @throws if it is refused */
export async function openWebSocket({ open }: Attack, address: string | undefined): Promise<Socket> {
  const socket = await open(address)
  socket.write(
    'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n' +
      'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
  )
  await readUntil(socket, '0{"sid"')
  return socket
}

/** Opens a WebSocket of the user, which reads nothing once it has joined. @throws if it is refused */
export async function joinWebSocket(attack: Attack): Promise<Socket> {
  const socket = await openWebSocket(attack, undefined)
  socket.write(frame('text', `40${JSON.stringify({ token: attack.target.token })}`))
  await readUntil(socket, '40{"sid"')
  return socket
}

async function readUntil(socket: Socket, words: string): Promise<void> {
  let text = ''
  await new Promise<void>((resolve, reject) => {
    const onData = (chunk: Buffer): void => {
      text += chunk.toString('latin1')
      if (!text.includes(words)) return
      socket.off('data', onData).pause()
      resolve()
    }
    socket.once('close', () => reject(new Error('The connection was closed.')))
    socket.on('data', onData).resume()
  })
}

/** Writes once the connection takes more. Resolves when it is closed, too. */
export async function writeSlowly(socket: Socket, bytes: Uint8Array | string): Promise<void> {
  if (socket.destroyed || socket.write(bytes)) return
  await new Promise<void>((resolve) => {
    const settle = (): void => {
      socket.off('drain', settle).off('close', settle)
      resolve()
    }
    socket.on('drain', settle).on('close', settle)
  })
}
