import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { outward, type Outward } from './index.ts'

type World = AsyncDisposable & {
  /** Takes every address of the web to the server of this test, over real HTTP. */
  readonly outward: Outward
  /** What was asked for, as `host/path?query`. */
  readonly asked: string[]
}

/** Answers for one address, given as `host/path?query`. */
type Answer = (address: string, response: ServerResponse, request: IncomingMessage) => void

/** The whole web on one local server. For tests. */
export async function localWorld(answer: Answer): Promise<World> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const address = (request.url ?? '/').slice(1)
    asked.push(address)
    answer(address, response, request)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const base = `http://127.0.0.1:${port}/`
  const real = outward({ privateHosts: [`127.0.0.1:${port}`], version: 'test' })
  return {
    asked,
    outward: {
      ...real,
      async get(url, options) {
        const found = await real.get(new URL(`${base}${url.host}${url.pathname}${url.search}`), options)
        return {
          ...found,
          url: new URL(`${url.protocol}//${found.url.pathname.slice(1)}${found.url.search}`),
        }
      },
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
