import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { pipeUIMessageStreamToResponse, streamText, toUIMessageStream } from 'ai'

import { benchModel, tokenStream } from './bench-model.ts'

/** The servers that the product is compared with. They store nothing: a lost connection loses the answer. */

type Listening = { readonly url: string; close(): void }

const HEADERS = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' }
/** The frame that the product writes for a token, with its cursor and its part id. */
const frame = (count: number, delta: string): string =>
  `id: ${count + 3}\ndata: {"type":"text-delta","id":"run_AAAAAAAAAAAA.1","delta":"${delta}"}\n\n`

/** Bare `node:http` with one write per token. */
export function bareHttp(): Promise<Listening> {
  return listening((response) => {
    response.writeHead(200, HEADERS)
    void (async () => {
      let count = 0
      for await (const delta of tokenStream()) {
        if (!response.write(frame(count++, delta))) await once(response, 'drain')
      }
      response.end('data: [DONE]\n\n')
    })()
  })
}

/** Bare `node:http` that writes ready bytes to all readers. */
export function bareFanOut(): Promise<Listening> {
  const readers = new Set<ServerResponse>()
  void (async () => {
    let count = 0
    for await (const delta of tokenStream()) {
      const bytes = Buffer.from(frame(count++, delta))
      for (const reader of readers) reader.write(bytes)
    }
    for (const reader of readers) reader.end('data: [DONE]\n\n')
  })()
  return listening((response) => {
    response.writeHead(200, HEADERS).flushHeaders()
    readers.add(response)
  })
}

/** The AI SDK as documented: `streamText` into the response. */
export function aiSdkRoute(): Promise<Listening> {
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })
  return listening((response) => {
    const { stream } = streamText({ model: benchModel, prompt: 'go' })
    void pipeUIMessageStreamToResponse({ response, stream: toUIMessageStream({ stream }) })
  })
}

async function listening(answer: (response: ServerResponse) => void): Promise<Listening> {
  const server = createServer((request: IncomingMessage, response) => {
    request.resume()
    request.on('end', () => {
      answer(response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => server.closeAllConnections() ?? server.close() }
}
