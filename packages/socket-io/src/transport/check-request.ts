import type { IncomingMessage } from 'node:http'

import { ServiceError } from 'dragoman/errors'
import {
  hasToken,
  createHostCheck,
  type CallerRules,
  createOriginCheck,
  preflightHeaders,
  corsHeaders,
} from 'dragoman/http'
import { engineRequestInfo } from './authenticate-socket.ts'

export type RequestCheckOptions = {
  /** Origins, besides the server's own, whose pages may connect. */
  readonly origins: readonly string[]
  readonly callerRules: Pick<CallerRules, 'local' | 'hosts' | 'proxies'>
}

/** An accepted request. */
export type CheckedRequest = {
  /** The client's network address. */
  readonly address: string
  /** CORS headers of the response, if a page of another origin may read it. */
  readonly headers: Readonly<Record<string, string>>
  /** Whether it opens a new connection. */
  readonly isNew: boolean
}

/**
 * Checks every request and upgrade before engine.io, which checks only the first one.
 * @throws ServiceError `forbidden`, `invalid-request`
 */
export function createRequestCheck({
  origins,
  callerRules,
}: RequestCheckOptions): (incoming: IncomingMessage) => CheckedRequest {
  const { local, hosts, proxies } = callerRules
  const checkOrigin = createOriginCheck(origins)
  const checkHost = createHostCheck(hosts)
  return (incoming) => {
    const { headers: requestHeaders, url, method, socket } = incoming
    const request = engineRequestInfo({ headers: requestHeaders, url, method, peer: socket.remoteAddress })
    const origin = checkOrigin(request)
    if (local !== undefined && !hasToken(request)) checkHost(request)
    // Any page may load a script of any server: a response as script would leak its content.
    if (request.query('j') !== undefined)
      throw new ServiceError('invalid-request', 'j: this server sends no scripts (JSONP).')
    const isPreflight = method === 'OPTIONS' && origin !== undefined
    const headers = isPreflight
      ? preflightHeaders(request, origin, true)
      : origin && corsHeaders(origin, true)
    return {
      address: proxies.networkOf(request),
      headers: headers || {},
      isNew: request.query('sid') === undefined && method === 'GET',
    }
  }
}
