import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

import { nanoid } from 'nanoid'
import { Server, type ServerOptions, type Socket } from 'socket.io'

import type { Caller } from '../http/admission.ts'
import type { SocketServer } from '../http/listen.ts'
import { ACCEPTED } from '../http/pages.ts'
import { connectionOf, type Connection } from './connection.ts'
import { admitted, refusal, type SocketDoor } from './door.ts'
import { inbox, type Take } from './inbox.ts'
import { newcomers } from './newcomers.ts'

export type SocketsOptions = SocketDoor & {
  /** Takes what each socket says, one thing after the other. */
  readonly serve: (connection: Connection) => Take
}

const MOST_BYTES = 20 * 1024 * 1024
/** Whoever does not say what they want to join is let go after so many ms; so many at once may not have said it yet. */
const JOINING_MS = 10_000
const MOST_JOINING = 200
/** A line is asked whether it lives, and has so long to say so, in ms: one that takes nothing for a minute is cut. */
const BEATS = { pingInterval: 25_000, pingTimeout: 35_000 }

/** Speaks Socket.IO on the port of another server, which passes on what is meant for it. */
export function socketServer(options: SocketsOptions): SocketServer {
  // It listens nowhere.
  const passed = createServer()
  const io: Server = new Server(passed, {
    ...BEATS,
    maxHttpBufferSize: MOST_BYTES,
    connectTimeout: JOINING_MS,
    transports: ['polling', 'websocket'],
    perMessageDeflate: false,
    serveClient: false,
    // Who comes back has had their token revoked, perhaps.
    connectionStateRecovery: { skipMiddlewares: false },
    adapter: forgetful,
    allowRequest: (_request, decide) =>
      decide(null, io.engine.clientsCount - io.sockets.sockets.size < MOST_JOINING),
  })
  io.sockets.adapter.restoreSession = welcomedBack
  io.engine.use(sharing(options.origins))
  const callers = new WeakMap<Socket, Caller>()
  const admit = async (socket: Socket, next: (refused?: Error) => void): Promise<void> => {
    const caller = await admitted(socket, options).catch((error: unknown) => refusal(error, options))
    if (!(caller instanceof Error)) callers.set(socket, caller)
    next(caller instanceof Error ? caller : undefined)
  }
  io.use((socket, next) => void admit(socket, next))
  const lines = new Map<Socket, Line>()
  const { name, listen, joined } = newcomers()
  io.engine.generateId = name
  io.on('connection', (socket) => {
    joined(socket)
    const caller = callers.get(socket)
    const line = caller && welcome(socket, caller, options)
    if (!line) return void socket.disconnect(true)
    line.connection.gone.addEventListener('abort', () => lines.delete(socket))
    return void lines.set(socket, line)
  })
  return {
    request(incoming, outgoing) {
      passed.emit('request', incoming, outgoing)
      if (incoming.method === 'POST') listen(incoming, incoming, () => incoming.destroy())
    },
    upgrade(incoming, socket, head) {
      passed.emit('upgrade', incoming, socket, head)
      listen(incoming, socket, () => socket.destroy())
    },
    async close(withinMs) {
      await ended([...lines.values()], withinMs)
      await io.close()
    },
  }
}

/** A socket, and how it is ended once it has had what is being sent to it. */
type Line = { readonly connection: Connection; end(): Promise<void> }

/** Begins to hear a socket; nothing where as many of its user's are open as may be. */
function welcome(
  socket: Socket,
  { userId, token }: Caller,
  { audience, serve, report }: SocketsOptions,
): Line | undefined {
  const line = lineOf(socket, userId)
  const { connection } = line
  const cut = (): void => void socket.disconnect(true)
  try {
    audience.enter({ userId, tokenId: token?.id, gone: connection.gone, cut })
  } catch {
    return undefined
  }
  inbox(socket, serve(connection), report)
  return line
}

function lineOf(socket: Socket, userId: string): Line {
  const gone = new AbortController()
  const closed = Promise.withResolvers<void>()
  socket.once('disconnect', () => {
    gone.abort()
    // Who has only left would be one more who has not joined, for ever.
    socket.conn.close()
    closed.resolve()
  })
  const own = connectionOf(socket, userId, gone.signal)
  const sending = new Set<Promise<void>>()
  return {
    connection: {
      ...own,
      async send(...args) {
        const sent = own.send(...args)
        sending.add(sent)
        await sent
        sending.delete(sent)
      },
    },
    async end() {
      await Promise.all(sending)
      socket.conn.close()
      await closed.promise
    },
  }
}

/** Resolves when they have all ended, or are out of time. */
async function ended(lines: readonly Line[], withinMs: number): Promise<void> {
  const closing = new AbortController()
  await Promise.race([
    Promise.all(lines.map((line) => line.end())),
    pause(withinMs, undefined, { signal: closing.signal }).catch(() => undefined),
  ])
  closing.abort()
}

/** An adapter that remembers nothing: theirs would keep each packet of everybody for minutes. */
const forgetful = new Server().sockets.adapter.constructor as ServerOptions['adapter']
/** What we tell as an offset looks so. */
const OFFSET = /^[\w.:,-]{0,10000}$/
const PRIVATE_ID = /^[\w-]{1,40}$/

/**
 * Lets a client that comes back say how far it had got, as it does where a server has given it a `pid`. Nothing is kept for it here, so it
 * may come to another process: whoever serves it reads its offset.
 */
async function welcomedBack(pid: string, offset: string) {
  if (!OFFSET.test(offset) || !PRIVATE_ID.test(pid)) throw new Error('These are not ours.')
  return { pid, sid: nanoid(20), rooms: [], data: {}, missedPackets: [] }
}

/** Lets pages of the allowed origins read what a browser would keep from them; it sends its cookies along, which we do not read. */
function sharing(origins: readonly string[]) {
  const allowed = new Set(origins)
  return (incoming: IncomingMessage, outgoing: ServerResponse, next: () => void): void => {
    const { origin } = incoming.headers
    if (origin === undefined || !allowed.has(origin)) return next()
    outgoing.setHeader('access-control-allow-origin', origin)
    outgoing.setHeader('access-control-allow-credentials', 'true')
    outgoing.setHeader('vary', 'origin')
    if (incoming.method !== 'OPTIONS') return next()
    outgoing.setHeader('access-control-allow-methods', 'GET, POST')
    outgoing.setHeader('access-control-allow-headers', ACCEPTED)
    outgoing.writeHead(204).end()
  }
}
