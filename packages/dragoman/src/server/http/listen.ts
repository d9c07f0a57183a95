import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'

import { getRequestListener } from '@hono/node-server'

import { ServiceError } from '../../errors.ts'
import { SecureResponse } from './secure-response.ts'
import { sendAndClose } from './send-error.ts'
import { isResponding, limitPipelining } from './limit-pipelining.ts'

/** Readers are told the end of their runs; whoever has not read it after so many ms is cut off. */
const CLOSE_TIMEOUT_MS = 1500
/** A request's head, and all of it, must have come by then, in ms; a body's own pace is seen to at the door. */
const DEFAULT_TIMEOUTS = { headersTimeout: 10_000, requestTimeout: 60_000, connectionsCheckingInterval: 2000 }

const DEFAULT_LIMITS = { requestsPerConnection: 16 }

export type Listening = {
  readonly url: string
  /** No new connections; those that are open end by themselves, or are cut. */
  close(): Promise<void>
}

/** Another protocol on the same port, for the requests and upgrades that are meant for it. */
export interface SocketServer {
  request(incoming: IncomingMessage, outgoing: ServerResponse): void
  upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Lets those who are being told something hear its end, at most for so long, and cuts all lines. */
  close(withinMs: number): Promise<void>
}

export type ListenOptions = {
  readonly host: string
  readonly port: number
  readonly timeouts?: typeof DEFAULT_TIMEOUTS
  readonly limits?: { readonly requestsPerConnection: number }
  /** What speaks Socket.IO; it is made when somebody comes who does. */
  readonly sockets?: () => Promise<SocketServer>
}

/** Takes requests from the network. @throws ServiceError `unavailable` where the port is taken */
export async function listen(
  fetch: (request: Request) => Response | Promise<Response>,
  { host, port, timeouts = DEFAULT_TIMEOUTS, limits = DEFAULT_LIMITS, sockets }: ListenOptions,
): Promise<Listening> {
  const { promise, resolve, reject } = Promise.withResolvers<AddressInfo>()
  const lazy = sockets && createLazySockets(sockets)
  const answer = getRequestListener(fetch, { hostname: host })
  const server = createServer(
    // Whoever asks for another protocol than Socket.IO is answered in HTTP.
    {
      ...timeouts,
      ServerResponse: SecureResponse,
      shouldUpgradeCallback: (incoming) => lazy !== undefined && isForSockets(incoming),
    },
    limitPipelining(limits.requestsPerConnection, (incoming, outgoing) => {
      if (lazy && isForSockets(incoming)) lazy.request(incoming, outgoing)
      else void answer(incoming, outgoing)
    }),
  )
  server.on('clientError', answerParseError)
  if (lazy) server.on('upgrade', lazy.upgrade)
  server.once('error', reject)
  server.listen(port, host, () => resolve(server.address() as AddressInfo))
  try {
    const address = await promise
    const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
    return {
      url: `http://${name}:${address.port}`,
      close: async () => void (await Promise.all([closeServer(server), lazy?.close()])),
    }
  } catch (cause) {
    throw new ServiceError(
      'unavailable',
      `Port ${port} of ${host} cannot be had. Choose another with --port.`,
      { cause },
    )
  }
}

/** A server of the application's own: `node:http`, `node:https`, or what a framework makes of them. */
export type HttpServer = Pick<Server, 'listeners' | 'removeAllListeners' | 'off' | 'on'>

/**
 * Takes the requests and upgrades for sockets on another server. Its own listeners get all others.
 * `close` detaches it again.
 */
export function attachSockets(
  server: HttpServer,
  load: () => Promise<SocketServer>,
): { close(): Promise<void> } {
  const lazy = createLazySockets(load)
  const ownListeners = server.listeners('request') as RequestListener[]
  const request: RequestListener = (incoming, outgoing) => {
    if (isForSockets(incoming)) return lazy.request(incoming, outgoing)
    for (const listener of ownListeners) listener.call(server, incoming, outgoing)
  }
  const upgrade = (incoming: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // Another listener may speak another protocol. If there is none, Node expects an answer from this one.
    if (isForSockets(incoming) || server.listeners('upgrade').length === 1)
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

/** What cannot be read as HTTP is answered as Node would, with our headers. */
function answerParseError({ code = '' }: NodeJS.ErrnoException, socket: Duplex): void {
  // Half an answer must not go on with the head of another.
  if (!socket.writable || isResponding(socket)) return void socket.destroy()
  sendAndClose(socket, PARSE_ERROR_STATUS.get(code) ?? 400)
}

const PARSE_ERROR_STATUS = new Map([
  ['HPE_HEADER_OVERFLOW', 431],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
])

function isForSockets({ url = '' }: IncomingMessage): boolean {
  return /^\/socket\.io(?:[/?]|$)/.test(url)
}

/** Passes on what is for sockets, once there is somebody to take it. */
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
      if (!isForSockets(incoming)) return void socket.destroy()
      return void loadOnce().then(
        (sockets) => sockets.upgrade(incoming, socket, head),
        () => socket.destroy(),
      )
    },
    close: async () => (await loading)?.close(CLOSE_TIMEOUT_MS),
  }
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const cut = setTimeout(() => server.closeAllConnections(), CLOSE_TIMEOUT_MS)
  await closed
  clearTimeout(cut)
}
