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
import { comerOf } from './door.ts'

export type GateOptions = {
  /** Origins besides our own whose pages may speak to us. */
  readonly origins: readonly string[]
  readonly callerRules: Pick<CallerRules, 'local' | 'hosts' | 'proxies'>
}

/** What is known of a request that may pass. */
export type Passage = {
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
export function gate({ origins, callerRules }: GateOptions): (incoming: IncomingMessage) => Passage {
  const { local, hosts, proxies } = callerRules
  const originOf = createOriginCheck(origins)
  const refuseUnknownName = createHostCheck(hosts)
  return (incoming) => {
    const { headers: told, url, method, socket } = incoming
    const comer = comerOf({ headers: told, url, method, peer: socket.remoteAddress })
    const origin = originOf(comer)
    if (local !== undefined && !hasToken(comer)) refuseUnknownName(comer)
    // Any page may load a script of any server: an answer as a script would let it read what is told.
    if (comer.query('j') !== undefined)
      throw new ServiceError('invalid-request', 'j: this server sends no scripts (JSONP).')
    const isPreflight = method === 'OPTIONS' && origin !== undefined
    const headers = isPreflight ? preflightHeaders(comer, origin, true) : origin && corsHeaders(origin, true)
    return {
      address: proxies.networkOf(comer),
      headers: headers || {},
      isNew: comer.query('sid') === undefined && method === 'GET',
    }
  }
}
