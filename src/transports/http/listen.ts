import type { AddressInfo } from 'node:net'

import { serve, type ServerType } from '@hono/node-server'

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

/** Takes requests from the network. @throws ServiceError `unavailable` where the port is taken */
export async function listen(
  fetch: (request: Request) => Response | Promise<Response>,
  { host, port, timeouts = TIMEOUTS }: { host: string; port: number; timeouts?: typeof TIMEOUTS },
): Promise<Listening> {
  const { promise, resolve, reject } = Promise.withResolvers<AddressInfo>()
  const server = serve({ fetch, hostname: host, port, serverOptions: timeouts }, resolve)
  server.once('error', reject)
  try {
    const address = await promise
    const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
    return { url: `http://${name}:${address.port}`, close: () => ending(server) }
  } catch (cause) {
    throw new ServiceError(
      'unavailable',
      `Port ${port} of ${host} cannot be had. Choose another with --port.`,
      { cause },
    )
  }
}

async function ending(server: ServerType): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const cut = setTimeout(() => 'closeAllConnections' in server && server.closeAllConnections(), CLOSING_MS)
  await closed
  clearTimeout(cut)
}
