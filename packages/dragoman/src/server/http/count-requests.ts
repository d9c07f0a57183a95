import type { MiddlewareHandler } from 'hono'

import { beginRequest, watchBody, type LoadAccount } from '../load/index.ts'
import type { TrustedProxies } from './client-address.ts'
import type { HttpEnv } from './http-env.ts'
import { requestInfo } from './request-info.ts'

/**
 * Counts each request until its response has been sent. A connection that takes nothing for `stallTimeoutMs` is
 * closed.
 */
export function countRequests(
  load: LoadAccount,
  proxies: TrustedProxies,
  stallTimeoutMs: number,
): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const address = load.share({ address: proxies.networkOf(requestInfo(c)) })
    c.set('load', address)
    // Monitoring must not take a busy server for a dead one.
    if (c.req.path === '/health') return next()
    const { incoming, outgoing } = c.env ?? {}
    const request = beginRequest(address, incoming && outgoing && { incoming, outgoing })
    c.set('progress', request)
    if (!outgoing) return next().finally(request.end)
    await next()
    // `deliverFeeds` watches feeds.
    if (!c.get('feed')) request.watchReader(stallTimeoutMs)
    return undefined
  }
}

/** Refuses a body that arrives too slowly, or for which there is no memory. */
export const limitBodies: MiddlewareHandler<HttpEnv> = async (c, next) => {
  const { incoming } = c.env ?? {}
  const request = c.get('progress')
  const body = incoming && request && watchBody(incoming, request)
  if (!body) return next()
  try {
    return await Promise.race([next(), body.refusal])
  } finally {
    body.end()
  }
}
