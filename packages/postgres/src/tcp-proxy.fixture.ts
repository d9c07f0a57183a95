import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** How a connection is lost: at once; with the answers under way lost; or with all that follows swallowed. */
export type CutMode = 'both' | 'answers' | 'mute'

/** A proxy in front of a database whose connections a test can cut. */
export type TcpProxy = {
  readonly url: string
  readonly cut: (mode: CutMode) => void
  readonly refuse: (isRefusing: boolean) => void
  /** Resolves at the next attempt to connect, even if it is refused. */
  readonly nextAttempt: () => Promise<void>
  /** While it blocks, no byte passes and no connection ends. What was sent passes late, as after a lost network. */
  readonly block: (isBlocking: boolean) => void
  /** Leads new connections to another database. */
  readonly pointTo: (target: string) => void
  readonly close: () => Promise<void>
}

type Line = { readonly client: Socket; readonly server: Socket; isMuted: boolean }

/** `onAnswer` gets what the server sends. */
export async function openTcpProxy(
  target: string,
  onAnswer: (bytes: Buffer) => void = () => undefined,
): Promise<TcpProxy> {
  const url = new URL(target)
  let { hostname, port } = url
  const lines = new Set<Line>()
  /** Connections that came while it blocked. */
  const waiting = new Set<Socket>()
  let isRefusing = false
  let isBlocking = false
  const proxy = createServer((client) => {
    if (isRefusing) return void client.destroy()
    if (isBlocking) return void waiting.add(client.on('error', () => undefined))
    const line = { client, server: connect(Number(port || 5432), hostname), isMuted: false }
    lines.add(line)
    joinSockets(line, { onAnswer, onEnd: () => lines.delete(line) })
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  url.port = String((proxy.address() as AddressInfo).port)
  url.hostname = '127.0.0.1'
  return {
    url: url.href,
    cut(mode) {
      for (const line of lines) {
        if (mode === 'both') line.client.destroy()
        else {
          line.isMuted = true
          // What was sent still reaches the database; its answer does not come back.
          if (mode === 'answers') setTimeout(() => line.client.destroy(), 3)
        }
      }
    },
    refuse: (refuses) => void (isRefusing = refuses),
    nextAttempt: async () => void (await once(proxy, 'connection')),
    block(blocks) {
      isBlocking = blocks
      for (const { client, server } of lines)
        for (const socket of [client, server])
          if (blocks) socket.pause()
          else socket.resume()
      if (blocks) return
      for (const client of waiting) client.destroy()
      waiting.clear()
    },
    pointTo: (next) => void ({ hostname, port } = new URL(next)),
    async close() {
      for (const { client, server } of lines) for (const socket of [client, server]) socket.destroy()
      for (const client of waiting) client.destroy()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}

type LineEvents = { readonly onAnswer: (bytes: Buffer) => void; readonly onEnd: () => void }

function joinSockets(line: Line, { onAnswer, onEnd }: LineEvents): void {
  const { client, server } = line
  const end = (): void => {
    onEnd()
    client.destroy()
    server.destroy()
  }
  client.on('data', (bytes) => server.write(bytes))
  server.on('data', (bytes) => {
    onAnswer(bytes)
    if (!line.isMuted) client.write(bytes)
  })
  for (const socket of [client, server]) socket.on('error', end).on('close', end)
}
