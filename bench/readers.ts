import { request, type IncomingMessage } from 'node:http'

/** The clients: they read and count bytes, and parse nothing. */

export type Reading = {
  readonly bytes: number
  /** From the request to the first token, in ms. */
  readonly firstMs: number
}

let chats = 0

/** Starts an answer in a new conversation. */
export function ask(url: string): Promise<IncomingMessage> {
  chats += 1
  const body = {
    id: `chat-${chats}`,
    trigger: 'submit-message',
    messages: [{ id: `message-${chats}`, role: 'user', parts: [{ type: 'text', text: 'go' }] }],
  }
  return send(`${url}/bench/chat`, JSON.stringify(body))
}

/** Follows a run. */
export function join(url: string, runId: string): Promise<IncomingMessage> {
  return send(`${url}/v1/runs/${runId}/events?protocol=ui-message-stream`)
}

export function send(url: string, body?: string): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const method = body === undefined ? 'GET' : 'POST'
  const clientRequest = request(
    url,
    { method, headers: { 'content-type': 'application/json' }, agent: false },
    (answer) => {
      if (answer.statusCode === 200) resolve(answer)
      else reject(new Error(`${method} ${url} was answered with ${answer.statusCode}`))
    },
  )
  clientRequest.on('error', reject)
  clientRequest.end(body)
  return promise
}

export async function read(response: Promise<IncomingMessage>): Promise<Reading> {
  const began = performance.now()
  let bytes = 0
  let firstMs = Number.NaN
  for await (const chunk of await response) {
    const { length } = chunk as Buffer
    if (Number.isNaN(firstMs) && (chunk as Buffer).includes('-delta"')) firstMs = performance.now() - began
    bytes += length
  }
  return { bytes, firstMs }
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** Runs the same action this many times in parallel. */
export function inParallel<T>(count: number, act: () => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, act))
}
