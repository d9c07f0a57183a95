import type { Json } from '../../packages/dragoman/src/index.ts'
import type { TestServer } from './server.ts'

/** Asks without the network, under a name that the server answers to. */
export function client({ fetch }: Pick<TestServer, 'fetch'>) {
  const send = (
    method: string,
    path: string,
    body?: Json | string,
    headers: Record<string, string> = {},
  ): Promise<Response> =>
    fetch(
      new Request(`http://127.0.0.1${path}`, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    )
  return {
    send,
    get: (path: string, headers: Record<string, string> = {}) => send('GET', path, undefined, headers),
    post: (path: string, body: Json | string, headers: Record<string, string> = {}) =>
      send('POST', path, body, headers),
    /** Status and body of what is answered as JSON. */
    async json(
      method: string,
      path: string,
      body?: Json,
    ): Promise<{ status: number; body: Record<string, unknown> }> {
      const response = await send(method, path, body)
      const text = await response.text()
      return {
        status: response.status,
        body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>,
      }
    },
  }
}

/** A message to a chat, in the AI SDK's format. */
export function chatRequest(text: string, options: Record<string, Json> = {}): Json {
  return { messages: [{ role: 'user', parts: [{ type: 'text', text }] }], options }
}

/** Posts a body as JSON over the network. */
export function postJson(
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}
