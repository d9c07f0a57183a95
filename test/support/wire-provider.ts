import type { Models } from '../../packages/dragoman/src/index.ts'
import { createModels, modelsFileSchema } from '../../packages/dragoman/src/models/index.ts'
import type { ResponseLimits } from '../../packages/dragoman/src/models/limit-responses.ts'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** What a provider answers: bytes in pieces, after which its line is cut, or nothing comes any more. */
export type Reply = {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: readonly string[]
  readonly after?: 'end' | 'cut' | 'silence'
  /** The time between pieces. Without it they are one. */
  readonly pauseMs?: number
}

export type ProviderRequest = {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export type WireProvider = AsyncDisposable & {
  readonly url: string
  /** What it was asked, in order. */
  readonly requests: readonly ProviderRequest[]
  /** Answers with these, one a request, and forgets what it was asked. */
  play(...replies: readonly Reply[]): void
}

/** A provider that says byte for byte what a test wants, faults too. */
export async function wireProvider(): Promise<WireProvider> {
  let replies: readonly Reply[] = []
  const requests: ProviderRequest[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      const reply = replies[requests.length] ?? { status: 500, body: ['The script is at its end.'] }
      requests.push({ path: request.url ?? '', headers: request.headers, body })
      void answer(response, reply)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests: requests,
    play(...next) {
      replies = next
      requests.length = 0
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function answer(response: ServerResponse, reply: Reply): Promise<void> {
  const { status = 200, headers, body, after = 'end', pauseMs = 0 } = reply
  const type = status === 200 ? 'text/event-stream' : 'application/json'
  response.writeHead(status, { 'content-type': type, ...headers })
  for (const piece of pauseMs > 0 ? body : []) {
    response.write(piece)
    await wait(pauseMs)
  }
  // What is written is on its way before the line is cut.
  response.write(pauseMs > 0 ? '' : body.join(''), () => {
    if (after === 'cut') response.socket?.destroy()
    if (after === 'end') response.end()
  })
}

/** Server-sent events, one for each value. */
export function events(...values: readonly { readonly type?: string }[]): string[] {
  return values.map((value) => {
    const name = value.type === undefined ? '' : `event: ${value.type}\n`
    return `${name}data: ${JSON.stringify(value)}\n\n`
  })
}

/** Models of providers that speak a protocol each. They send the key `WIRE_KEY`, and retry only on request. */
export function wireModels(
  url: string,
  apis: Readonly<Record<string, string>>,
  { key = 'k', ...options }: { key?: string; override?: string; limits?: ResponseLimits } = {},
): Models {
  const providers = Object.entries(apis).map(([name, api]) => [
    name,
    { base_url: url, api_key_env: 'WIRE_KEY', api },
  ])
  const file = modelsFileSchema.parse({
    providers: Object.fromEntries(providers) as object,
    fallback_triggers: { max_retries: 0 },
  })
  return createModels({ env: { WIRE_KEY: key }, offlinePace: 0, file, ...options })
}
