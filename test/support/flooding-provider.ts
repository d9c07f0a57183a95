import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGzip } from 'node:zlib'

export type Flood = {
  readonly status?: number
  readonly gzip?: true
  readonly head?: readonly string[]
  /** Written again and again. */
  readonly piece: string
}

export type FloodingProvider = AsyncDisposable & {
  readonly host: string
  readonly url: string
  /** Bytes that it has written, before compression. */
  readonly byteCount: () => number
}

/** A provider whose answer never ends. */
export async function floodingProvider({
  status = 200,
  gzip,
  head = [],
  piece,
}: Flood): Promise<FloodingProvider> {
  let writtenBytes = 0
  const answer = (response: ServerResponse): void => {
    const type = status === 200 ? 'text/event-stream' : 'application/json'
    response.writeHead(status, { 'content-type': type, ...(gzip && { 'content-encoding': 'gzip' }) })
    const packing = gzip ? createGzip() : undefined
    packing?.pipe(response)
    const body = packing ?? response
    const pour = (): void => {
      while (!response.destroyed && body.write(piece)) writtenBytes += piece.length
      if (!response.destroyed) body.once('drain', pour)
    }
    // A client that leaves is what is expected.
    body.on('error', () => undefined)
    for (const each of head) body.write(each)
    pour()
  }
  const server = createServer((_request, response) => answer(response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    host,
    url: `http://${host}`,
    byteCount: () => writtenBytes,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}
