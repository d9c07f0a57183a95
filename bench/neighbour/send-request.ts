import { request, type Agent, type IncomingMessage } from 'node:http'

export type AttackRequest = {
  readonly method?: string
  readonly path: string
  /** Undefined: without a user. */
  readonly token?: string | undefined
  readonly body?: object | string
  readonly headers?: Readonly<Record<string, string>>
}

export type AttackReply = { readonly status: number; readonly text: string; readonly cookie: string }

type Way = {
  readonly agent: Agent
  readonly localAddress: string | undefined
  readonly signal: AbortSignal
}

const NO_REPLY: AttackReply = { status: 0, text: '', cookie: '' }
const MAX_KEPT_CHARS = 10_000

/** Sends a request and reads the reply. The status is 0 if there is none. */
export function sendRequest(
  url: string,
  attackRequest: AttackRequest,
  { localAddress, ...way }: Way,
): Promise<AttackReply> {
  const { method = 'GET', path, token, body, headers } = attackRequest
  return new Promise((resolve) => {
    const options = {
      ...way,
      ...(localAddress !== undefined && { localAddress }),
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      },
    }
    const clientRequest = request(url + path, options, (response) => read(response, resolve))
    clientRequest.on('error', () => resolve(NO_REPLY))
    clientRequest.end(typeof body === 'object' ? JSON.stringify(body) : body)
  })
}

function read(response: IncomingMessage, resolve: (reply: AttackReply) => void): void {
  let text = ''
  response.setEncoding('utf8').on('data', (chunk: string) => {
    if (text.length < MAX_KEPT_CHARS) text += chunk
  })
  const status = response.statusCode ?? 0
  const cookie = response.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
  response.on('end', () => resolve({ status, text, cookie }))
  response.on('error', () => resolve(NO_REPLY))
}

/** The bytes of a request, for connections that send many and read nothing. */
export function requestBytes({ method = 'GET', path, token, body = '', headers }: AttackRequest): string {
  const content = typeof body === 'object' ? JSON.stringify(body) : body
  const fields = {
    host: 'localhost',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(content)),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...headers,
  }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${content}`
}
