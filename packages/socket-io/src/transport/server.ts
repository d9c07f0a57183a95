import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

import { nanoid } from 'nanoid'
import { Server, type ServerOptions, type Socket } from 'socket.io'

import { sendError, sendErrorAndClose, type Caller, type SocketServer } from 'dragoman/http'
import { connectionOf, type Connection } from './connection.ts'
import { admitted, refusal, type SocketDoor } from './door.ts'
import { gate, type GateOptions } from './gate.ts'
import { inbox, type Take } from './inbox.ts'
import { newcomers } from './newcomers.ts'
import { parser } from './parser.ts'

export type SocketsOptions = SocketDoor &
  GateOptions & {
    readonly limits: { readonly newSocketsPerAddress: number }
    /** Takes what each socket says, one thing after the other. */
    readonly serve: (connection: Connection) => Take
  }

const MOST_BYTES = 20 * 1024 * 1024
/** A line is asked whether it lives, and has so long to say so, in ms: one that takes nothing for a minute is cut. */
const BEATS = { pingInterval: 25_000, pingTimeout: 35_000 }

/** Speaks Socket.IO on the port of another server, which passes on what is meant for it. */
export function socketServer(options: SocketsOptions): SocketServer {
  // It listens nowhere.
  const passed = createServer()
  const io: Server = new Server(passed, ENGINE)
  io.sockets.adapter.restoreSession = welcomedBack
  const callers = new WeakMap<Socket, Caller>()
  const admit = async (socket: Socket, next: (refused?: Error) => void): Promise<void> => {
    const caller = await admitted(socket, options).catch((error: unknown) => refusal(error, options))
    if (!(caller instanceof Error)) callers.set(socket, caller)
    next(caller instanceof Error ? caller : undefined)
  }
  io.use((socket, next) => void admit(socket, next))
  const lines = new Map<Socket, Line>()
  const { arrive, listen, joined } = newcomers(io.engine, options.limits.newSocketsPerAddress)
  const pass = gate(options)
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
      try {
        const { address, headers, isNew } = pass(incoming)
        outgoing.setHeaders(new Map(Object.entries(headers)))
        if ('access-control-allow-methods' in headers) return void outgoing.writeHead(204).end()
        if (isNew) arrive(incoming, address, outgoing)
      } catch (error) {
        return sendError(outgoing, error)
      }
      passed.emit('request', incoming, outgoing)
      if (incoming.method === 'POST') listen(incoming, incoming, () => incoming.destroy())
    },
    upgrade(incoming, socket, head) {
      try {
        const { address, isNew } = pass(incoming)
        if (isNew) arrive(incoming, address, socket)
      } catch (error) {
        return sendErrorAndClose(socket, error)
      }
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
  { readerRegistry, serve, report }: SocketsOptions,
): Line | undefined {
  const line = lineOf(socket, userId)
  const { connection } = line
  const cut = (): void => void socket.disconnect(true)
  try {
    readerRegistry.add({ userId, tokenId: token?.id, closed: connection.gone, disconnect: cut })
  } catch {
    return undefined
  }
  inbox(socket, serve(connection), report)
  return line
}

function lineOf(socket: Socket, userId: string): Line {
  const gone = new AbortController()
  const closed = Promise.withResolvers<void>()
  // What cannot be read closes the connection.
  socket.on('error', () => undefined)
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

const ENGINE: Partial<ServerOptions> = {
  ...BEATS,
  maxHttpBufferSize: MOST_BYTES,
  transports: ['polling', 'websocket'],
  perMessageDeflate: false,
  serveClient: false,
  // Who comes back has had their token revoked, perhaps.
  connectionStateRecovery: { skipMiddlewares: false },
  adapter: forgetful,
  parser,
}
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
