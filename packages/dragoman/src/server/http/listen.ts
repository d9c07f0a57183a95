import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'

import { getRequestListener } from '@hono/node-server'

import { ServiceError } from '../../errors.ts'

/** Readers are told the end of their runs; whoever has not read it after so many ms is cut off. */
const CLOSING_MS = 1500
/** A request's head, and all of it, must have come by then, in ms; a body's own pace is seen to at the door. */
const TIMEOUTS = { headersTimeout: 10_000, requestTimeout: 60_000, connectionsCheckingInterval: 2000 }

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
  readonly timeouts?: typeof TIMEOUTS
  /** What speaks Socket.IO; it is made when somebody comes who does. */
  readonly sockets?: () => Promise<SocketServer>
}

/** Takes requests from the network. @throws ServiceError `unavailable` where the port is taken */
export async function listen(
  fetch: (request: Request) => Response | Promise<Response>,
  { host, port, timeouts = TIMEOUTS, sockets }: ListenOptions,
): Promise<Listening> {
  const { promise, resolve, reject } = Promise.withResolvers<AddressInfo>()
  const beside = sockets && besides(sockets)
  const answer = getRequestListener(fetch, { hostname: host })
  const server = createServer(
    // Whoever asks for another protocol than Socket.IO is answered in HTTP.
    { ...timeouts, shouldUpgradeCallback: (incoming) => beside !== undefined && isForSockets(incoming) },
    (incoming, outgoing) => {
      if (beside && isForSockets(incoming)) beside.request(incoming, outgoing)
      else void answer(incoming, outgoing)
    },
  )
  if (beside) server.on('upgrade', beside.upgrade)
  server.once('error', reject)
  server.listen(port, host, () => resolve(server.address() as AddressInfo))
  try {
    const address = await promise
    const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
    return {
      url: `http://${name}:${address.port}`,
      close: async () => void (await Promise.all([ending(server), beside?.close()])),
    }
  } catch (cause) {
    throw new ServiceError(
      'unavailable',
      `Port ${port} of ${host} cannot be had. Choose another with --port.`,
      { cause },
    )
  }
}

function isForSockets({ url = '' }: IncomingMessage): boolean {
  return /^\/socket\.io(?:[/?]|$)/.test(url)
}

/** Passes on what is for sockets, once there is somebody to take it. */
function besides(
  load: () => Promise<SocketServer>,
): Omit<SocketServer, 'close'> & { close(): Promise<void> } {
  let loading: Promise<SocketServer> | undefined
  const loaded = (): Promise<SocketServer> => (loading ??= load())
  return {
    request(incoming, outgoing) {
      void loaded().then(
        (sockets) => sockets.request(incoming, outgoing),
        () => outgoing.destroy(),
      )
    },
    upgrade(incoming, socket, head) {
      socket.on('error', () => socket.destroy())
      if (!isForSockets(incoming)) return void socket.destroy()
      return void loaded().then(
        (sockets) => sockets.upgrade(incoming, socket, head),
        () => socket.destroy(),
      )
    },
    close: async () => (await loading)?.close(CLOSING_MS),
  }
}

async function ending(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const cut = setTimeout(() => server.closeAllConnections(), CLOSING_MS)
  await closed
  clearTimeout(cut)
}
