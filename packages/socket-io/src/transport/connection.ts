import type { Socket } from 'socket.io'

import type { Json } from 'dragoman/events'
import type { Feed } from 'dragoman/fan-out'
import type { PageReader } from 'dragoman/server'
import type { ConnectionLoad } from './connection-load.ts'
import { createFrameParser, type FrameParser, type NumberedFrame } from './parse-frames.ts'

/** Bytes that wait to be sent before no more is taken from a feed. */
const PAUSE_AT_BYTES = 64 * 1024

/** An authenticated socket. */
export interface Connection {
  readonly userId: string
  /** The offset that a reconnecting client sends: the last one that it received. */
  readonly offset: string | undefined
  /** Aborts when the socket closes. */
  readonly closed: AbortSignal
  /** Reads something large for this socket, until it closes. */
  createPageReader(): PageReader
  /** Sends an event. A text as last argument is the offset for a reconnect. */
  emit(name: string, ...args: readonly Json[]): void
  /**
   * Sends a feed as fast as the client takes it. Resolves at the feed's end, once `signal` aborts, or when the socket
   * closes. If the feed fails, the connection is closed.
   */
  send(feed: Feed, tell: (frame: NumberedFrame) => void, signal: AbortSignal): Promise<void>
}

export type ConnectionOptions = {
  readonly userId: string
  readonly closed: AbortSignal
  readonly load: ConnectionLoad
}

export function createConnection(socket: Socket, { userId, closed, load }: ConnectionOptions): Connection {
  const sendBuffer = watchSendBuffer(socket, load)
  return {
    userId,
    offset: socket.recovered ? readOffset(socket) : undefined,
    closed,
    createPageReader: () => load.createPageReader(closed),
    emit: (name, ...args) => void socket.emit(name, ...args),
    async send(feed, tell, signal) {
      const parser = createFrameParser((change) => {
        load.partialBytes += change
        load.update()
      })
      try {
        await drainFeed(feed, tell, { room: sendBuffer, parser, signal: AbortSignal.any([closed, signal]) })
      } catch {
        // A clean end would look like success. The client resumes after a reconnect.
        socket.conn.close()
      } finally {
        parser.close()
        feed.close()
      }
    },
  }
}

type SendBuffer = { isFull(): boolean; whenFree(tell: () => void): void }
type Drain = { readonly room: SendBuffer; readonly parser: FrameParser; readonly signal: AbortSignal }

async function drainFeed(
  feed: Feed,
  tell: (frame: NumberedFrame) => void,
  { room, parser, signal }: Drain,
): Promise<void> {
  while (!signal.aborted) {
    // A part of an event cannot be sent: the rest is taken in any case.
    const chunk = room.isFull() && !parser.hasPart() ? 'full' : feed.take()
    if (chunk === 'end') return
    if (chunk === 'full') await waitFor(room.whenFree, signal)
    else if (chunk === 'wait') await waitFor(feed.whenMore, signal)
    else for (const frame of parser.parse(chunk)) tell(frame)
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

/** Tells when a connection has room, with one listener for all waiters. */
function watchSendBuffer({ conn }: Socket, load: ConnectionLoad): SendBuffer {
  let waiting: (() => void)[] = []
  conn.on('drain', () => {
    const listeners = waiting
    waiting = []
    for (const tell of listeners) tell()
  })
  return {
    isFull: () => load.queuedBytes >= PAUSE_AT_BYTES,
    whenFree: (tell) => void waiting.push(tell),
  }
}
