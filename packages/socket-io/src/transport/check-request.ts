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
  readonly callerRules: Pick<CallerRules, 'local' | 'hosts'>
  readonly report: (error: unknown, where: string) => void
}

/**
 * Checks every request and upgrade before engine.io, which checks only the first one. Returns the CORS headers of the
 * response, if a page of another origin may read it.
 * @throws ServiceError `forbidden`, `invalid-request`
 */
export function createRequestCheck({
  origins,
  callerRules: { local, hosts },
  report,
}: RequestCheckOptions): (incoming: IncomingMessage) => Readonly<Record<string, string>> {
  const checkOrigin = createOriginCheck(origins, report)
  const checkHost = createHostCheck(hosts)
  return (incoming) => {
    const request = engineRequestInfo(incoming, incoming.socket.remoteAddress)
    const origin = checkOrigin(request)
    if (local !== undefined && !hasToken(request)) checkHost(request)
    // Any page may load a script of any server: a response as script would leak its content.
    if (request.query('j') !== undefined)
      throw new ServiceError('invalid-request', 'j: this server sends no scripts (JSONP).')
    if (origin === undefined) return {}
    return incoming.method === 'OPTIONS' ? preflightHeaders(request, origin, true) : corsHeaders(origin, true)
  }
}
