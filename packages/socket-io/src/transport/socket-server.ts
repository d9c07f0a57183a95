import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

import { nanoid } from 'nanoid'
import { Server, type ServerOptions, type Socket } from 'socket.io'

import { sendError, sendErrorAndClose, type Caller, type CallerRules, type SocketServer } from 'dragoman/http'
import type { LoadAccount } from 'dragoman/server'
import type { ConnectionLoad } from './connection-load.ts'
import { createConnections, type Connections } from './connections.ts'
import { createConnection, type Connection } from './connection.ts'
import {
  authenticateSocket,
  engineRequestInfo,
  toConnectError,
  type SocketAuthOptions,
} from './authenticate-socket.ts'
import { createRequestCheck, type RequestCheckOptions } from './check-request.ts'
import { receiveMessages, type HandleMessage } from './receive-messages.ts'
import { boundedParser } from './bounded-parser.ts'

export type SocketServerOptions = SocketAuthOptions &
  RequestCheckOptions & {
    readonly callerRules: Pick<CallerRules, 'proxies'>
    readonly load: LoadAccount
    /** A packet is read and parsed in one go: one of 20 MB holds the event loop for about a tenth of a second. */
    readonly messageBytes: number
    /** Creates the message handler of a connection. It is called for one message at a time. */
    readonly serve: (connection: Connection) => HandleMessage
  }

/** Intervals in ms. A connection that takes nothing for a minute is closed. */
const PING_OPTIONS = { pingInterval: 25_000, pingTimeout: 35_000 }

/** Serves Socket.IO on the port of another server, which passes on its requests. */
export function createSocketServer(options: SocketServerOptions): SocketServer {
  const { proxies } = options.callerRules
  const connections = createConnections(options.load, (incoming) =>
    proxies.networkOf(engineRequestInfo(incoming, incoming.socket.remoteAddress)),
  )
  // This server listens on no port.
  const innerServer = createServer()
  const io: Server = new Server(innerServer, {
    ...ENGINE_OPTIONS,
    allowRequest: connections.allowRequest,
    maxHttpBufferSize: options.messageBytes,
  })
  io.sockets.adapter.restoreSession = restoreSession
  limitWebSockets(io.engine)
  connections.watch(io.engine)
  const callers = admitSockets(io, connections, options)
  const openSockets = new Map<Socket, OpenSocket>()
  const checkRequest = createRequestCheck(options)
  io.on('connection', (socket) => {
    const load = connections.loadOf(socket)
    const caller = callers.get(socket)
    if (!load || !caller) return void socket.disconnect(true)
    const openSocket = trackSocket(socket, caller.userId, load)
    receiveMessages(socket, options.serve(openSocket.connection), { load, report: options.report })
    openSocket.connection.closed.addEventListener('abort', () => openSockets.delete(socket))
    return void openSockets.set(socket, openSocket)
  })
  return {
    request(incoming, outgoing) {
      try {
        const headers = checkRequest(incoming)
        outgoing.setHeaders(new Map(Object.entries(headers)))
        if ('access-control-allow-methods' in headers) return void outgoing.writeHead(204).end()
      } catch (error) {
        return sendError(outgoing, error)
      }
      connections.request(incoming, outgoing, () => innerServer.emit('request', incoming, outgoing))
    },
    upgrade(incoming, socket, head) {
      try {
        checkRequest(incoming)
      } catch (error) {
        return sendErrorAndClose(socket, error)
      }
      connections.upgrade(incoming, socket, () => innerServer.emit('upgrade', incoming, socket, head))
    },
    async close(withinMs) {
      await endSockets([...openSockets.values()], withinMs)
      await io.close()
    },
  }
}

/** Finds the caller of each socket before it connects. */
function admitSockets(
  io: Server,
  connections: Connections,
  options: SocketServerOptions,
): Pick<WeakMap<Socket, Caller>, 'get'> {
  const callers = new WeakMap<Socket, Caller>()
  const joining = new WeakSet<Socket['conn']>()
  const join = async (socket: Socket): Promise<Error | undefined> => {
    const { conn } = socket
    const load = connections.loadOf(socket)
    // A client asks to join once at a time.
    if (!load || joining.has(conn)) {
      conn.close(true)
      return undefined
    }
    joining.add(conn)
    try {
      const caller = await authenticateSocket(socket, options)
      load.join(caller, () => void (socket.connected ? socket.disconnect(true) : conn.close(true)))
      callers.set(socket, caller)
      return undefined
    } catch (error) {
      joining.delete(conn)
      return toConnectError(error, options)
    }
  }
  const admit = async (socket: Socket, next: (refused?: Error) => void): Promise<void> =>
    next(await join(socket))
  io.use((socket, next) => void admit(socket, next))
  return callers
}

/** A connected socket. `end` closes it after everything has been sent. */
type OpenSocket = { readonly connection: Connection; end(): Promise<void> }

function trackSocket(socket: Socket, userId: string, load: ConnectionLoad): OpenSocket {
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
  const inner = createConnection(socket, { userId, closed: closing.signal, load })
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
  transports: ['polling', 'websocket'],
  // Compressed texts would count as less than they take.
  perMessageDeflate: false,
  httpCompression: false,
  serveClient: false,
  // The token of a reconnecting client may have been revoked.
  connectionStateRecovery: { skipMiddlewares: false },
  adapter: statelessAdapter,
  parser: boundedParser,
}
/** A WebSocket that is closed has this time to answer; a message comes in at most so many pieces. */
const WEBSOCKET_OPTIONS = { closeTimeout: 2000, maxFragments: 2048 }

/** engine.io does not pass on options to ws. */
function limitWebSockets(engine: Server['engine']): void {
  const { ws } = engine as unknown as { readonly ws: { readonly options: object } }
  Object.assign(ws.options, WEBSOCKET_OPTIONS)
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
