import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { createSafeFetch, type SafeFetch } from './index.ts'

type FakeWeb = AsyncDisposable & {
  /** Takes every address of the web to the server of this test, over real HTTP. */
  readonly safeFetch: SafeFetch
  /** The requested addresses, as `host/path?query`. */
  readonly requests: string[]
}

/** Answers for one address, given as `host/path?query`. */
type Answer = (address: string, response: ServerResponse, request: IncomingMessage) => void

/** The whole web on one local server. For tests. */
export async function fakeWeb(answer: Answer): Promise<FakeWeb> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    const address = (request.url ?? '/').slice(1)
    requests.push(address)
    answer(address, response, request)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const base = `http://127.0.0.1:${port}/`
  const real = createSafeFetch({ privateHosts: [`127.0.0.1:${port}`], version: 'test' })
  return {
    requests,
    safeFetch: {
      ...real,
      async get(url, options) {
        const result = await real.get(new URL(`${base}${url.host}${url.pathname}${url.search}`), options)
        return {
          ...result,
          url: new URL(`${url.protocol}//${result.url.pathname.slice(1)}${result.url.search}`),
        }
      },
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
