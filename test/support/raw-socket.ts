import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'

import { line } from './wire.ts'

const OPCODES = { rest: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const
type FrameKind = keyof typeof OPCODES

/** A Socket.IO connection by hand, which sends what no client library sends. */
export type RawSocket = Disposable & {
  readonly connection: Socket
  /** All that has come, as text. */
  received(): string
  /** Resolves once the text has come. Rejects if the server closes the connection before. */
  until(text: string): Promise<void>
  /** Resolves once the server has closed the connection. */
  readonly closed: Promise<void>
}

/** Opens a WebSocket of Socket.IO, or at a path. It joins if there is a token. */
export async function rawSocket(
  url: string,
  {
    token,
    query = '',
    headers = '',
    path,
  }: { token?: string; query?: string; headers?: string; path?: string } = {},
): Promise<RawSocket> {
  const connection = line(url)
  const pieces: string[] = []
  const received = (): string => pieces.join('')
  let isClosed = false
  const waiting = new Set<(latest: string) => void>()
  const look = (latest: string): void => {
    for (const each of waiting) each(latest)
  }
  connection.on('data', (piece: Buffer) => {
    const before = pieces.at(-1) ?? ''
    pieces.push(piece.toString('latin1'))
    look(before.slice(-100) + (pieces.at(-1) ?? ''))
  })
  const closed = new Promise<void>((resolve) => {
    connection.once('close', () => {
      isClosed = true
      look(received())
      resolve()
    })
  })
  const until: RawSocket['until'] = (text) =>
    new Promise((resolve, reject) => {
      const check = (latest: string): void => {
        const hasCome = latest.includes(text)
        if (!hasCome && !isClosed) return
        waiting.delete(check)
        if (hasCome) resolve()
        else reject(new Error(`The server has closed the connection: ${latest.slice(-200)}`))
      }
      waiting.add(check)
      check(received())
    })
  connection.write(
    `GET ${path ?? '/socket.io/?EIO=4&transport=websocket'}${query} HTTP/1.1\r\nHost: ${new URL(url).host}\r\n` +
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n${headers}\r\n`,
  )
  await until(path !== undefined || query.includes('sid=') ? '101 ' : '0{"sid"')
  if (token !== undefined) {
    connection.write(frame('text', `40${JSON.stringify({ token })}`))
    await until('40{"sid"')
  }
  return {
    connection,
    received,
    until,
    closed,
    [Symbol.dispose]: () => void connection.destroy(),
  }
}

/** One frame of a client, with a mask of zeros. `length` announces another length than the data has. */
export function frame(
  kind: FrameKind,
  content: string | Uint8Array = '',
  { isLast = true, length }: { readonly isLast?: boolean; readonly length?: number } = {},
): Buffer {
  const data = Buffer.from(content)
  const size = length ?? data.length
  const head = Buffer.alloc(size < 126 ? 2 : 10)
  head[0] = OPCODES[kind] | (isLast ? 0x80 : 0)
  head[1] = 0x80 | (size < 126 ? size : 127)
  if (size >= 126) head.writeBigUInt64BE(BigInt(size), 2)
  return Buffer.concat([head, Buffer.alloc(4), data])
}
