import { once } from 'node:events'
import type { Duplex } from 'node:stream'

import type { WebSocket } from 'ws'

import type { SocketCaller } from 'dragoman/http'
import type { ConnectionLoad } from '../transport/connection-load.ts'
import { createChatConnection, type ChatConnection } from './chat-connection.ts'

/** Bytes that wait to be sent before no more is read of a reply. */
const PAUSE_AT_BYTES = 64 * 1024
/** A connection that does not answer a ping is closed, in ms. */
const PING_INTERVAL_MS = 30_000

export type ServeOptions = {
  readonly fetch: (request: Request, from: SocketCaller) => Promise<Response>
  readonly report: (error: unknown, where: string) => void
  readonly agent: string
  readonly load: ConnectionLoad
  readonly socket: Duplex
  readonly from: SocketCaller
  readonly address: string
  /** The headers of each request: those of the handshake that say where the client is. */
  readonly headers: Readonly<Record<string, string>>
}

/** Serves the chat of an agent to a caller who has been admitted. */
export function serveChat(websocket: WebSocket, options: ServeOptions): ChatConnection {
  const { agent, load, socket, from, address, headers, fetch, report } = options
  const closing = new AbortController()
  const connection = createChatConnection({
    load,
    report,
    closed: closing.signal,
    fetch(path, init) {
      const all = { ...headers, ...init.headers }
      return fetch(new Request(new URL(`/${agent}/chat${path}`, address), { ...init, headers: all }), from)
    },
    send(frame) {
      websocket.send(frame, () => load.update())
      load.update()
    },
    async whenFree(signal) {
      while (socket.writableLength >= PAUSE_AT_BYTES && !signal.aborted)
        await once(socket, 'drain', { signal }).catch(() => undefined)
    },
  })
  // What breaks the protocol closes the connection.
  websocket.on('error', () => websocket.terminate())
  websocket.on('message', connection.receive)
  const stopPings = pingRegularly(websocket)
  websocket.once('close', () => {
    stopPings()
    closing.abort()
  })
  return connection
}

function pingRegularly(websocket: WebSocket): () => void {
  let isAlive = true
  websocket.on('pong', () => {
    isAlive = true
  })
  const timer = setInterval(() => {
    if (!isAlive) return websocket.terminate()
    isAlive = false
    websocket.ping()
    return undefined
  }, PING_INTERVAL_MS)
  return () => clearInterval(timer)
}
