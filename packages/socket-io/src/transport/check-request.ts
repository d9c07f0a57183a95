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
  /** Origins besides our own whose pages may speak to us. */
  readonly origins: readonly string[]
  readonly callerRules: Pick<CallerRules, 'local' | 'hosts' | 'proxies'>
}

/** What is known of a request that may pass. */
export type CheckedRequest = {
  /** The client's network address. */
  readonly address: string
  /** Headers of its answer, where a page of another origin may read that. */
  readonly headers: Readonly<Record<string, string>>
  /** Whether it begins a new connection. */
  readonly isNew: boolean
}

/**
 * Judges every request and upgrade before engine.io sees it: engine.io itself looks at nothing but the first one.
 * @throws ServiceError
 * `forbidden`, `invalid-request`
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
    // Any page may load a script of any server: an answer as a script would let it read what is told.
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
