import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'

import { getRequestListener } from '@hono/node-server'

import { ServiceError } from '../../errors.ts'
import { stripBasePath, withoutBasePath } from './base-path.ts'
import { openListeners } from './open-listeners.ts'
import { SecureResponse } from './secure-response.ts'
import { sendAndClose } from './send-error.ts'
import {
  countConnection,
  createLoopTurns,
  isReceiving,
  isResponding,
  joinPieces,
  limitPipelining,
  releaseConnection,
  type LoadAccount,
  type LoadShare,
} from '../load/index.ts'
import type { TrustedProxies } from './client-address.ts'

/** Time for readers to receive the end of their runs before connections are closed, in ms. */
const CLOSE_TIMEOUT_MS = 1500
/**
 * Timeouts for the head and the whole of a request, in ms. `limitBodies` limits the pace of bodies. Node looks for
 * late ones also while there are no connections.
 */
const DEFAULT_TIMEOUTS = { headersTimeout: 10_000, requestTimeout: 60_000, connectionsCheckingInterval: 5000 }

const DEFAULT_LIMITS = { requestsPerConnection: 16, idleConnectionSeconds: 75 }

export type Listening = {
  readonly url: string
  /** Accepts no new connections. Open ones end or are closed. */
  close(): Promise<void>
}

/** Another protocol on the same port: it gets its own requests and upgrades. */
export interface SocketServer {
  request(incoming: IncomingMessage, outgoing: ServerResponse): void
  upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Sends running answers to their end within the time limit, then closes all connections. */
  close(withinMs: number): Promise<void>
}

export type ListenOptions = {
  readonly host: string
  readonly port: number
  readonly timeouts?: typeof DEFAULT_TIMEOUTS
  readonly limits?: Partial<typeof DEFAULT_LIMITS>
  readonly load: LoadAccount
  readonly proxies: Pick<TrustedProxies, 'networkOf'>
  /** See `Config.basePath`. */
  readonly basePath?: string
  /** The Socket.IO server, created at the first request for it. */
  readonly sockets?: () => Promise<SocketServer>
}

/** So many new connections of an address are read in a turn of the event loop. A browser opens six. */
const FIRST_READS = 6

/** The host of a request that names none, as HTTP/1.0 allows: a name that no server answers under without a token. */
const NO_HOST = 'host.invalid'

/** Listens on the network. @throws ServiceError `unavailable` if the port is in use */
export async function listen(
  fetch: (request: Request) => Response | Promise<Response>,
  { host, port, load, proxies, timeouts = DEFAULT_TIMEOUTS, limits, basePath = '', sockets }: ListenOptions,
): Promise<Listening> {
  const { requestsPerConnection, idleConnectionSeconds } = { ...DEFAULT_LIMITS, ...limits }
  const lazy = sockets && createLazySockets(sockets)
  const answer = getRequestListener(fetch, { hostname: NO_HOST })
  const server = createServer(
    // Upgrades to other protocols get an HTTP response.
    {
      ...timeouts,
      keepAliveTimeout: idleConnectionSeconds * 1000,
      ServerResponse: SecureResponse,
      shouldUpgradeCallback: (incoming) => lazy !== undefined && isUpgrade(incoming, basePath),
    },
    limitPipelining(requestsPerConnection, load, (incoming, outgoing) => {
      if (lazy && isForSockets(incoming)) lazy.request(incoming, outgoing)
      // A body that has come with its head is complete by then, so a refusal need not close the connection.
      else if (isReceiving(incoming)) setImmediate(() => void answer(incoming, outgoing))
      else void answer(incoming, outgoing)
    }),
  )
  server.prependListener('request', (incoming) => {
    stripBasePath(incoming, basePath)
    if (isReceiving(incoming)) joinPieces(incoming)
  })
  const readInTurn = createFirstReads()
  server.on('connection', (socket) => {
    const address = proxies.networkOf({ peer: socket.remoteAddress, header: () => undefined })
    const share = load.share({ address })
    countConnection(socket, share)
    readInTurn(socket, address, share)
  })
  server.on('clientError', answerParseError)
  if (lazy)
    server.on('upgrade', (incoming, socket, head) => {
      stripBasePath(incoming, basePath)
      releaseConnection(socket)
      lazy.upgrade(incoming, socket, head)
    })
  try {
    const { address, close } = await openListeners(server, { host, port })
    const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
    return {
      url: `http://${name}:${address.port}`,
      close: async () => void (await Promise.all([closeServer(server, close), lazy?.close()])),
    }
  } catch (cause) {
    throw new ServiceError(
      'unavailable',
      `Port ${port} of ${host} cannot be had. Choose another with --port.`,
      { cause },
    )
  }
}

/**
 * What a connection sends first may take some ms to parse: few of an address are read in a turn of the event loop, and
 * they wait where the address has sent too much.
 */
function createFirstReads(): (socket: Socket, address: string, share: LoadShare) => void {
  const turns = createLoopTurns<string>(() => false, FIRST_READS)
  const awaitPace = async (address: string, share: LoadShare, turn?: Promise<void>): Promise<void> => {
    await turn
    const ms = share.pace(0)
    if (ms === 0) return
    await pause(ms)
    await turns.wait(address)
  }
  return (socket, address, share) => {
    const turn = turns.wait(address)
    if (!turn && share.pace(0) === 0) return
    socket.pause()
    void awaitPace(address, share, turn).then(() => socket.resume())
  }
}

/** An HTTP server of the application: `node:http`, `node:https` or a framework's. */
export type HttpServer = Pick<Server, 'listeners' | 'removeAllListeners' | 'off' | 'on'>

/** Attaches sockets to another server. Its own listeners get all other requests. `close` detaches again. */
export function attachSockets(
  server: HttpServer,
  load: () => Promise<SocketServer>,
  basePath: string,
): { close(): Promise<void> } {
  const lazy = createLazySockets(load)
  const ownListeners = server.listeners('request') as RequestListener[]
  const request: RequestListener = (incoming, outgoing) => {
    if (isForSockets(incoming, basePath)) {
      stripBasePath(incoming, basePath)
      return lazy.request(incoming, outgoing)
    }
    for (const listener of ownListeners) listener.call(server, incoming, outgoing)
  }
  const upgrade = (incoming: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // Another listener may serve another protocol. If there is none, Node expects this one to respond.
    if (!isForSockets(incoming, basePath) && server.listeners('upgrade').length > 1) return
    stripBasePath(incoming, basePath)
    lazy.upgrade(incoming, socket, head)
  }
  server.removeAllListeners('request')
  server.on('request', request)
  server.on('upgrade', upgrade)
  return {
    async close() {
      server.off('request', request)
      server.off('upgrade', upgrade)
      for (const listener of ownListeners) server.on('request', listener)
      await lazy.close()
    },
  }
}

/** Responds to unparsable requests as Node would, with security headers. */
function answerParseError({ code = '' }: NodeJS.ErrnoException, socket: Duplex): void {
  // A second head must not follow a partial response.
  if (!socket.writable || isResponding(socket)) return void socket.destroy()
  sendAndClose(socket, PARSE_ERROR_STATUS.get(code) ?? 400)
}

const PARSE_ERROR_STATUS = new Map([
  ['HPE_HEADER_OVERFLOW', 431],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
])

function isForSockets({ url = '' }: IncomingMessage, basePath = ''): boolean {
  return /^\/socket\.io(?:[/?]|$)/.test(withoutBasePath(url, basePath))
}

/** A WebSocket at the chat of an agent. */
function isForChat({ url = '', headers }: IncomingMessage, basePath: string): boolean {
  const isWebSocket = headers.upgrade?.toLowerCase() === 'websocket'
  // A request line has at most 16 KB.
  return isWebSocket && /^\/[\w-]+\/chat\/?(?:\?|$)/.test(withoutBasePath(url, basePath))
}

function isUpgrade(incoming: IncomingMessage, basePath = ''): boolean {
  return isForSockets(incoming, basePath) || isForChat(incoming, basePath)
}

/** Forwards socket requests once the server has loaded. */
function createLazySockets(
  load: () => Promise<SocketServer>,
): Omit<SocketServer, 'close'> & { close(): Promise<void> } {
  let loading: Promise<SocketServer> | undefined
  const loadOnce = (): Promise<SocketServer> => (loading ??= load())
  return {
    request(incoming, outgoing) {
      void loadOnce().then(
        (sockets) => sockets.request(incoming, outgoing),
        () => outgoing.destroy(),
      )
    },
    upgrade(incoming, socket, head) {
      socket.on('error', () => socket.destroy())
      if (!isUpgrade(incoming)) return void socket.destroy()
      return void loadOnce().then(
        (sockets) => sockets.upgrade(incoming, socket, head),
        () => socket.destroy(),
      )
    },
    close: async () => (await loading)?.close(CLOSE_TIMEOUT_MS),
  }
}

async function closeServer(server: Server, close: () => Promise<void>): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), CLOSE_TIMEOUT_MS)
  await close()
  clearTimeout(cut)
}
