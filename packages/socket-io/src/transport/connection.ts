import type { Socket } from 'socket.io'

import type { Json } from 'dragoman/events'
import type { Feed } from 'dragoman/fan-out'
import { framesIn, type NumberedFrame } from './frames.ts'

/** Letters that wait for the line before no more is taken from a feed. */
const MOST_WAITING = 64 * 1024
/** And before who does not read is cut: answers are told however full it is. */
const MOST_UNREAD = 32 * 1024 * 1024

/** One socket of a user's, once the door has let it in. */
export interface Connection {
  readonly userId: string
  /** Of one who comes back: how far it had got, in the words in which it was told. */
  readonly offset: string | undefined
  /** Aborts when it has gone. */
  readonly gone: AbortSignal
  /** What is said last, if it is text, is the offset of one who comes back. */
  emit(name: string, ...said: readonly Json[]): void
  /**
   * Hands over what a feed has, as fast as the other end takes it. Resolves at its end, once `signal` aborts, or when the socket has gone;
   * where the feed breaks, so does the line.
   */
  send(feed: Feed, tell: (frame: NumberedFrame) => void, signal: AbortSignal): Promise<void>
}

export function connectionOf(socket: Socket, userId: string, gone: AbortSignal): Connection {
  const room = roomOn(socket)
  return {
    userId,
    offset: socket.recovered ? offsetOf(socket) : undefined,
    gone,
    emit(name, ...said) {
      socket.emit(name, ...said)
      if (room.unread() > MOST_UNREAD) socket.conn.close(true)
    },
    async send(feed, tell, signal) {
      try {
        await drained(feed, tell, { room, signal: AbortSignal.any([gone, signal]) })
      } catch {
        // A clean end would read as success. Whoever comes back reads on.
        socket.conn.close()
      } finally {
        feed.close()
      }
    },
  }
}

type Room = { isFull(): boolean; unread(): number; whenFree(tell: () => void): void }

async function drained(
  feed: Feed,
  tell: (frame: NumberedFrame) => void,
  { room, signal }: { readonly room: Room; readonly signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    const taken = room.isFull() ? 'full' : feed.take()
    if (taken === 'end') return
    if (taken === 'full') await heard(room.whenFree, signal)
    else if (taken === 'wait') await heard(feed.whenMore, signal)
    else for (const frame of framesIn(taken)) tell(frame)
  }
}

function offsetOf({ handshake }: Socket): string | undefined {
  const offset: unknown = handshake.auth['offset']
  return typeof offset === 'string' ? offset : undefined
}

/** Resolves when it is told, or with the signal. */
function heard(ask: (tell: () => void) => void, signal: AbortSignal): Promise<void> {
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
function roomOn({ conn }: Socket): Room {
  let letters = 0
  let waiting: (() => void)[] = []
  conn.on('packetCreate', ({ data = '' }: { data?: string | Buffer }) => {
    letters += data.length
  })
  conn.on('flush', () => {
    letters = 0
  })
  conn.on('drain', () => {
    const told = waiting
    waiting = []
    for (const tell of told) tell()
  })
  return {
    isFull: () => letters >= MOST_WAITING,
    unread: () => letters,
    whenFree: (tell) => void waiting.push(tell),
  }
}
