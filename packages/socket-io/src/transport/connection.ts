import type { Socket } from 'socket.io'

import type { Json } from 'dragoman/events'
import type { Feed } from 'dragoman/fan-out'
import { parseFrames, type NumberedFrame } from './parse-frames.ts'

/** Characters that wait to be sent before no more is taken from a feed. */
const PAUSE_AT_CHARS = 64 * 1024
/** Characters before a socket that does not read is closed. Acknowledgements are sent regardless of the pause. */
const MAX_UNREAD_CHARS = 32 * 1024 * 1024

/** An authenticated socket. */
export interface Connection {
  readonly userId: string
  /** The offset that a reconnecting client sends: the last one that it received. */
  readonly offset: string | undefined
  /** Aborts when the socket closes. */
  readonly closed: AbortSignal
  /** Sends an event. A text as last argument is the offset for a reconnect. */
  emit(name: string, ...args: readonly Json[]): void
  /**
   * Sends a feed as fast as the client takes it. Resolves at the feed's end, once `signal` aborts, or when the socket
   * closes. If the feed fails, the connection is closed.
   */
  send(feed: Feed, tell: (frame: NumberedFrame) => void, signal: AbortSignal): Promise<void>
}

export function createConnection(socket: Socket, userId: string, closed: AbortSignal): Connection {
  const sendBuffer = watchSendBuffer(socket)
  return {
    userId,
    offset: socket.recovered ? readOffset(socket) : undefined,
    closed,
    emit(name, ...args) {
      socket.emit(name, ...args)
      if (sendBuffer.unread() > MAX_UNREAD_CHARS) socket.conn.close(true)
    },
    async send(feed, tell, signal) {
      try {
        await drainFeed(feed, tell, { room: sendBuffer, signal: AbortSignal.any([closed, signal]) })
      } catch {
        // A clean end would look like success. The client resumes after a reconnect.
        socket.conn.close()
      } finally {
        feed.close()
      }
    },
  }
}

type SendBuffer = { isFull(): boolean; unread(): number; whenFree(tell: () => void): void }

async function drainFeed(
  feed: Feed,
  tell: (frame: NumberedFrame) => void,
  { room, signal }: { readonly room: SendBuffer; readonly signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    const chunk = room.isFull() ? 'full' : feed.take()
    if (chunk === 'end') return
    if (chunk === 'full') await waitFor(room.whenFree, signal)
    else if (chunk === 'wait') await waitFor(feed.whenMore, signal)
    else for (const frame of parseFrames(chunk)) tell(frame)
  }
}

function readOffset({ handshake }: Socket): string | undefined {
  const offset: unknown = handshake.auth['offset']
  return typeof offset === 'string' ? offset : undefined
}

/** Resolves when the listener is called or the signal aborts. */
function waitFor(ask: (tell: () => void) => void, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const tell = (): void => {
      signal.removeEventListener('abort', tell)
      resolve()
    }
    signal.addEventListener('abort', tell)
    ask(tell)
  })
}

/** Counts unsent characters of a connection, with one listener for all waiters. */
function watchSendBuffer({ conn }: Socket): SendBuffer {
  let chars = 0
  let waiting: (() => void)[] = []
  conn.on('packetCreate', ({ data = '' }: { data?: string | Buffer }) => {
    chars += data.length
  })
  conn.on('flush', () => {
    chars = 0
  })
  conn.on('drain', () => {
    const listeners = waiting
    waiting = []
    for (const tell of listeners) tell()
  })
  return {
    isFull: () => chars >= PAUSE_AT_CHARS,
    unread: () => chars,
    whenFree: (tell) => void waiting.push(tell),
  }
}
