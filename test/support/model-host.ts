import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export type ModelHost = AsyncDisposable & {
  readonly url: string
  /** The paths that were asked for. */
  readonly paths: string[]
  /** What it was asked, as JSON. */
  readonly bodies: string[]
}

type HostOptions = {
  /** The body of its list of models. */
  readonly list: object
  /** The only key that it takes. Default: any, and none. */
  readonly key?: string
  /** What it answers to a chat. */
  readonly answer?: string
}

/** A host of models: it lists them, refuses other keys, and answers chat completions with the model's name. */
export async function openModelHost({ list, key, answer = 'Hello.' }: HostOptions): Promise<ModelHost> {
  const paths: string[] = []
  const bodies: string[] = []
  const server = createServer((request, response) => {
    paths.push(request.url ?? '')
    if (key !== undefined && keyOf(request) !== key) {
      response.writeHead(401, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { message: 'Incorrect API key provided.' } }))
    } else if (request.url?.includes('/models')) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(list))
    } else {
      void text(request).then((body) => bodies.push(body))
      const delta = { choices: [{ index: 0, delta: { content: answer }, finish_reason: null }] }
      const end = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(`data: ${JSON.stringify(delta)}\n\ndata: ${JSON.stringify(end)}\n\ndata: [DONE]\n\n`)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    paths,
    bodies,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function keyOf({ headers }: IncomingMessage): string | undefined {
  const key = headers['x-api-key'] ?? headers['x-goog-api-key']
  return typeof key === 'string' ? key : headers.authorization?.replace('Bearer ', '')
}

/** Where nothing listens. */
export const NOWHERE = 'http://127.0.0.1:9'

/** Addresses of providers that cannot be asked for their models, wherever the tests run. */
export const AWAY = {
  OPENAI_BASE_URL: 'https://models.invalid',
  ANTHROPIC_BASE_URL: 'https://models.invalid',
}
