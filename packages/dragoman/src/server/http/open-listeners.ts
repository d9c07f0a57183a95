import { once } from 'node:events'
import type { Server } from 'node:http'
import { createServer, type AddressInfo, type ListenOptions, type Server as NetServer } from 'node:net'
import { platform } from 'node:os'

/**
 * Connections that may wait for a listener. The system drops what is above it, and the client tries again only after
 * 1, 3 and 7 seconds. The system may allow less (`somaxconn`).
 */
const BACKLOG = 65_535

/**
 * A listener takes one connection in each turn of the event loop, so the turns of a busy server would not suffice for
 * those of a flood, and users would wait behind them.
 * https://github.com/libuv/libuv/pull/3696
 */
const LISTENERS = 16

/** Where only one process may listen on a port, there is one listener. */
const canShare = platform() === 'linux'

export type Listeners = {
  readonly address: AddressInfo
  /** Takes no more connections. Resolves once those that there are have ended. */
  close(): Promise<void>
}

/**
 * Makes a server listen, by several listeners for one port.
 * @throws the error of the system, such as that of a port in use
 */
export async function openListeners(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Listeners> {
  const others = Array.from({ length: canShare ? LISTENERS - 1 : 0 }, () => createListener(server))
  const free = canShare ? await findFreePort({ host, port }) : port
  const options = { host, port: free, backlog: BACKLOG, reusePort: canShare }
  const address = await startListening(server, options)
  await Promise.all(others.map((each) => startListening(each, { ...options, port: address.port })))
  return { address, close: async () => void (await Promise.all([server, ...others].map(stopListening))) }
}

/** What is shared may be shared with other processes of the user too: a port that one has is not free. */
async function findFreePort(address: { readonly host: string; readonly port: number }): Promise<number> {
  const probe = createServer()
  const { port } = await startListening(probe, address)
  await stopListening(probe)
  return port
}

/** The options of sockets are those that a server for HTTP gives its own. */
function createListener(server: Server): NetServer {
  return createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket))
}

async function startListening(server: NetServer, options: ListenOptions): Promise<AddressInfo> {
  server.listen(options)
  await once(server, 'listening')
  return server.address() as AddressInfo
}

function stopListening(server: NetServer): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}
