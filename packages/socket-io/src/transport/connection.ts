import type { Socket } from 'socket.io'

import type { Json } from 'dragoman/events'
import type { Feed } from 'dragoman/fan-out'
import { parseFrames, type NumberedFrame } from './frames.ts'

/** Letters that wait for the line before no more is taken from a feed. */
const PAUSE_AT_CHARS = 64 * 1024
/** And before who does not read is cut: answers are told however full it is. */
const MAX_UNREAD_CHARS = 32 * 1024 * 1024

/** One socket of a user's, once the door has let it in. */
export interface Connection {
  readonly userId: string
  /** Of one who comes back: how far it had got, in the words in which it was told. */
  readonly offset: string | undefined
  /** Aborts when it has gone. */
  readonly closed: AbortSignal
  /** What is said last, if it is text, is the offset of one who comes back. */
  emit(name: string, ...args: readonly Json[]): void
  /**
   * Hands over what a feed has, as fast as the other end takes it. Resolves at its end, once `signal` aborts, or when the socket has gone;
   * where the feed breaks, so does the line.
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
        // A clean end would read as success. Whoever comes back reads on.
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
    const taken = room.isFull() ? 'full' : feed.take()
    if (taken === 'end') return
    if (taken === 'full') await waitFor(room.whenFree, signal)
    else if (taken === 'wait') await waitFor(feed.whenMore, signal)
    else for (const frame of parseFrames(taken)) tell(frame)
  }
}

function readOffset({ handshake }: Socket): string | undefined {
  const offset: unknown = handshake.auth['offset']
  return typeof offset === 'string' ? offset : undefined
}

/** Resolves when it is told, or with the signal. */
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

/** Whether a line takes more, and who is told when it does: all of them, by one who listens. */
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
