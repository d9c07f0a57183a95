import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'

import type { Node } from './node.ts'

const CHECK_INTERVAL_MS = 250
/** Tells a reader which node answers. */
const NODE_HEADER = 'x-cluster-node'

/** Passes each request to the next node that is ready. Streams pass through as they come. */
export type Proxy = {
  readonly url: string
  readonly readyNodes: () => readonly string[]
  readonly close: () => Promise<void>
}

export async function openProxy(nodes: readonly Node[], port: number): Promise<Proxy> {
  let ready: readonly Node[] = nodes
  let turn = 0
  const next = (): Node | undefined => ready[turn++ % Math.max(ready.length, 1)]
  const check = async (): Promise<void> => {
    const answers = await Promise.all(nodes.map(isReady))
    ready = nodes.filter((_node, at) => answers[at])
  }
  const server = createServer((from, to) => forward(next(), from, to))
  server.on('upgrade', (from, socket, head) => forwardUpgrade(next(), from, { socket, head }))
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const timer = setInterval(() => void check(), CHECK_INTERVAL_MS)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    readyNodes: () => ready.map(({ name }) => name),
    async close() {
      clearInterval(timer)
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function isReady(node: Node): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(4 * CHECK_INTERVAL_MS)
    const response = await fetch(`${node.url()}/ready`, { signal })
    await response.body?.cancel()
    return response.status === 200
  } catch {
    return false
  }
}

function forward(node: Node | undefined, from: IncomingMessage, to: ServerResponse): void {
  const refuse = (): void => void to.writeHead(503, { 'retry-after': '1' }).end()
  if (!node) return refuse()
  const { method, url: path, headers } = from
  const { hostname, port } = new URL(node.url())
  const passed = request({ hostname, port, method, path, headers, agent: false }, (answer) => {
    to.writeHead(answer.statusCode ?? 502, { ...answer.headers, [NODE_HEADER]: node.name })
    answer.pipe(to)
    // A node that dies breaks the connection of the reader too, who then comes back.
    answer.once('close', () => answer.complete || to.destroy())
  })
  passed.once('error', () => (to.headersSent ? to.destroy() : refuse()))
  to.once('close', () => passed.destroy())
  from.pipe(passed)
}

type Upgrade = { readonly socket: Duplex; readonly head: Buffer }

function forwardUpgrade(node: Node | undefined, from: IncomingMessage, { socket, head }: Upgrade): void {
  if (!node) return void socket.destroy()
  const { hostname, port } = new URL(node.url())
  const passed = connect(Number(port), hostname, () => {
    const lines = from.rawHeaders.flatMap((name, at, all) =>
      at % 2 === 0 ? [`${name}: ${all[at + 1]}`] : [],
    )
    passed.write([`${from.method} ${from.url} HTTP/1.1`, ...lines, '', ''].join('\r\n'))
    passed.write(head)
    passed.pipe(socket).pipe(passed)
  })
  for (const [one, other] of [
    [passed, socket],
    [socket, passed],
  ] as const)
    one.once('error', () => other.destroy()).once('close', () => other.destroy())
}
