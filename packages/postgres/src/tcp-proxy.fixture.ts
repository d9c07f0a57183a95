import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** How a connection is lost: at once; with the answers under way lost; or with all that follows swallowed. */
export type CutMode = 'both' | 'answers' | 'mute'

/** A proxy in front of a server whose connections a test can cut. */
export type TcpProxy = {
  readonly url: string
  readonly cut: (mode: CutMode) => void
  readonly refuse: (isRefusing: boolean) => void
  /** Resolves at the next attempt to connect, even if it is refused. */
  readonly nextAttempt: () => Promise<void>
  readonly close: () => Promise<void>
}

type Line = { readonly client: Socket; readonly server: Socket; isMuted: boolean }

/** `onAnswer` gets what the server sends. */
export async function openTcpProxy(
  target: string,
  onAnswer: (bytes: Buffer) => void = () => undefined,
): Promise<TcpProxy> {
  const { hostname, port } = new URL(target)
  const url = new URL(target)
  const lines = new Set<Line>()
  let isRefusing = false
  const proxy = createServer((client) => {
    if (isRefusing) return void client.destroy()
    const server = connect(Number(port || 5432), hostname)
    const line: Line = { client, server, isMuted: false }
    lines.add(line)
    const end = (): void => {
      lines.delete(line)
      client.destroy()
      server.destroy()
    }
    client.on('data', (bytes) => server.write(bytes))
    server.on('data', (bytes) => {
      onAnswer(bytes)
      if (!line.isMuted) client.write(bytes)
    })
    for (const socket of [client, server]) socket.on('error', end).on('close', end)
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
          // What was sent still reaches the server; its answer does not come back.
          if (mode === 'answers') setTimeout(() => line.client.destroy(), 3)
        }
      }
    },
    refuse: (refuses) => void (isRefusing = refuses),
    nextAttempt: async () => void (await once(proxy, 'connection')),
    async close() {
      for (const { client, server } of lines) {
        client.destroy()
        server.destroy()
      }
      proxy.close()
      await once(proxy, 'close')
    },
  }
}
