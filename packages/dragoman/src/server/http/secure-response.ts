import { ServerResponse, type OutgoingHttpHeader, type OutgoingHttpHeaders } from 'node:http'

import { countUnsent, isReceiving } from '../load/index.ts'
import { discardRest } from './discard-rest.ts'
import { NOSNIFF_HEADER } from './send-error.ts'

const OWN_PAGES_ONLY = { ...NOSNIFF_HEADER, 'cross-origin-resource-policy': 'same-origin' }
const CLOSE = { connection: 'close' }
const ALLOWED_ORIGIN = 'access-control-allow-origin'

type WriteCallback = (error: Error | null | undefined) => void
type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[]

/**
 * Adds the security headers while the head is written. If they were set earlier, Node would keep all headers in memory
 * for as long as a client reads. Pages of another origin may load only what allows that origin. It also counts what the
 * client has not taken. If the body of the request has not come to its end, the connection closes after the response,
 * and its head says so: a client that shares its connections would lose the next request.
 */
export class SecureResponse extends ServerResponse {
  override writeHead(status: number, reason?: string, headers?: Headers): this
  override writeHead(status: number, headers?: Headers): this
  override writeHead(status: number, reason?: string | Headers, headers?: Headers): this {
    if (typeof reason === 'string') return super.writeHead(status, reason, withSecurityHeaders(this, headers))
    return super.writeHead(status, withSecurityHeaders(this, reason ?? headers))
  }

  override write(
    chunk: unknown,
    encoding?: BufferEncoding | WriteCallback,
    callback?: WriteCallback,
  ): boolean {
    const isTaken = super.write(chunk, encoding as BufferEncoding, callback)
    if (!isTaken) countUnsent(this)
    return isTaken
  }

  override end(chunk?: unknown, encoding?: BufferEncoding | (() => void), callback?: () => void): this {
    if (isReceiving(this.req)) {
      // A connection that is closed while data arrives takes the response from the client.
      if (chunk) this.write(chunk, encoding)
      void discardRest(this.req).then(() => super.end())
      return this
    }
    super.end(chunk, encoding as BufferEncoding, callback)
    if (this.writableLength > this.writableHighWaterMark) countUnsent(this)
    return this
  }
}

function withSecurityHeaders(response: ServerResponse, headers: Headers = {}): Headers {
  const isList = Array.isArray(headers)
  const allows =
    response.hasHeader(ALLOWED_ORIGIN) ||
    (isList ? headers.includes(ALLOWED_ORIGIN) : ALLOWED_ORIGIN in headers)
  const added = { ...(allows ? NOSNIFF_HEADER : OWN_PAGES_ONLY), ...(isReceiving(response.req) && CLOSE) }
  return isList ? [...headers, ...Object.entries(added).flat()] : { ...headers, ...added }
}
