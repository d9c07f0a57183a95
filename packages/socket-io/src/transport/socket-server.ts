import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

import { nanoid } from 'nanoid'
import { Server, type ServerOptions, type Socket } from 'socket.io'

import { sendError, sendErrorAndClose, type Caller, type SocketServer } from 'dragoman/http'
import { createConnection, type Connection } from './connection.ts'
import { authenticateSocket, toConnectError, type SocketAuthOptions } from './authenticate-socket.ts'
import { createRequestCheck, type RequestCheckOptions } from './check-request.ts'
import { receiveMessages, type HandleMessage } from './receive-messages.ts'
import { trackUnauthenticatedSockets } from './unauthenticated-sockets.ts'
import { boundedParser } from './bounded-parser.ts'

export type SocketServerOptions = SocketAuthOptions &
  RequestCheckOptions & {
    readonly limits: { readonly newSocketsPerAddress: number }
    /** Creates the message handler of a connection. It is called for one message at a time. */
    readonly serve: (connection: Connection) => HandleMessage
  }

const MAX_MESSAGE_BYTES = 20 * 1024 * 1024
/** Intervals in ms. A connection that takes nothing for a minute is closed. */
const PING_OPTIONS = { pingInterval: 25_000, pingTimeout: 35_000 }

/** Serves Socket.IO on the port of another server, which passes on its requests. */
export function createSocketServer(options: SocketServerOptions): SocketServer {
  // This server listens on no port.
  const innerServer = createServer()
  const io: Server = new Server(innerServer, ENGINE_OPTIONS)
  io.sockets.adapter.restoreSession = restoreSession
  const callers = new WeakMap<Socket, Caller>()
  const authenticate = async (socket: Socket, next: (refused?: Error) => void): Promise<void> => {
    const caller = await authenticateSocket(socket, options).catch((error: unknown) =>
      toConnectError(error, options),
    )
    if (!(caller instanceof Error)) callers.set(socket, caller)
    next(caller instanceof Error ? caller : undefined)
  }
  io.use((socket, next) => void authenticate(socket, next))
  const openSockets = new Map<Socket, OpenSocket>()
  const { reserve, limitBytes, markAuthenticated } = trackUnauthenticatedSockets(
    io.engine,
    options.limits.newSocketsPerAddress,
  )
  const checkRequest = createRequestCheck(options)
  io.on('connection', (socket) => {
    markAuthenticated(socket)
    const caller = callers.get(socket)
    const openSocket = caller && serveSocket(socket, caller, options)
    if (!openSocket) return void socket.disconnect(true)
    openSocket.connection.closed.addEventListener('abort', () => openSockets.delete(socket))
    return void openSockets.set(socket, openSocket)
  })
  return {
    request(incoming, outgoing) {
      try {
        const { address, headers, isNew } = checkRequest(incoming)
        outgoing.setHeaders(new Map(Object.entries(headers)))
        if ('access-control-allow-methods' in headers) return void outgoing.writeHead(204).end()
        if (isNew) reserve(incoming, address, outgoing)
      } catch (error) {
        return sendError(outgoing, error)
      }
      innerServer.emit('request', incoming, outgoing)
      if (incoming.method === 'POST') limitBytes(incoming, incoming, () => incoming.destroy())
    },
    upgrade(incoming, socket, head) {
      try {
        const { address, isNew } = checkRequest(incoming)
        if (isNew) reserve(incoming, address, socket)
      } catch (error) {
        return sendErrorAndClose(socket, error)
      }
      innerServer.emit('upgrade', incoming, socket, head)
      limitBytes(incoming, socket, () => socket.destroy())
    },
    async close(withinMs) {
      await endSockets([...openSockets.values()], withinMs)
      await io.close()
    },
  }
}

/** A connected socket. `end` closes it after everything has been sent. */
type OpenSocket = { readonly connection: Connection; end(): Promise<void> }

/** Starts to receive messages. Returns undefined if the user has too many open sockets. */
function serveSocket(
  socket: Socket,
  { userId, token }: Caller,
  { readerRegistry, serve, report }: SocketServerOptions,
): OpenSocket | undefined {
  const openSocket = trackSocket(socket, userId)
  const { connection } = openSocket
  const disconnect = (): void => void socket.disconnect(true)
  try {
    readerRegistry.add({ userId, tokenId: token?.id, closed: connection.closed, disconnect })
  } catch {
    return undefined
  }
  receiveMessages(socket, serve(connection), report)
  return openSocket
}

function trackSocket(socket: Socket, userId: string): OpenSocket {
  const closing = new AbortController()
  const closed = Promise.withResolvers<void>()
  // Unreadable packets close the connection.
  socket.on('error', () => undefined)
  socket.once('disconnect', () => {
    closing.abort()
    // A connection that only leaves the namespace would count as unauthenticated.
    socket.conn.close()
    closed.resolve()
  })
  const inner = createConnection(socket, userId, closing.signal)
  const sending = new Set<Promise<void>>()
  return {
    connection: {
      ...inner,
      async send(...args) {
        const isSent = inner.send(...args)
        sending.add(isSent)
        await isSent
        sending.delete(isSent)
      },
    },
    async end() {
      await Promise.all(sending)
      socket.conn.close()
      await closed.promise
    },
  }
}

/** Resolves when all have ended or the time is over. */
async function endSockets(openSockets: readonly OpenSocket[], withinMs: number): Promise<void> {
  const closing = new AbortController()
  await Promise.race([
    Promise.all(openSockets.map((openSocket) => openSocket.end())),
    pause(withinMs, undefined, { signal: closing.signal }).catch(() => undefined),
  ])
  closing.abort()
}

/** An adapter without memory: the default one keeps every packet for minutes. */
const statelessAdapter = new Server().sockets.adapter.constructor as ServerOptions['adapter']

const ENGINE_OPTIONS: Partial<ServerOptions> = {
  ...PING_OPTIONS,
  maxHttpBufferSize: MAX_MESSAGE_BYTES,
  transports: ['polling', 'websocket'],
  perMessageDeflate: false,
  serveClient: false,
  // The token of a reconnecting client may have been revoked.
  connectionStateRecovery: { skipMiddlewares: false },
  adapter: statelessAdapter,
  parser: boundedParser,
}
const OFFSET_PATTERN = /^[\w.:,-]{0,10000}$/
const PRIVATE_ID_PATTERN = /^[\w-]{1,40}$/

/**
 * Accepts the offset of a reconnecting client, which clients send if the server has given them a `pid`. The server
 * keeps no session, so any process may serve the client.
 */
async function restoreSession(pid: string, offset: string) {
  if (!OFFSET_PATTERN.test(offset) || !PRIVATE_ID_PATTERN.test(pid)) throw new Error('These are not ours.')
  return { pid, sid: nanoid(20), rooms: [], data: {}, missedPackets: [] }
}
