import type { Context, MiddlewareHandler } from 'hono'

import { ServiceError } from '../../errors.ts'
import { comerOf, type Comer } from './admission.ts'

const EXPOSED =
  'x-run-id, x-conversation-id, x-request-id, x-session-created, x-after, x-workflow-run-id, x-workflow-stream-tail-index, x-vercel-ai-ui-message-stream, retry-after, www-authenticate'
/** What a request of such a page may say in its head. */
export const ACCEPTED = 'content-type, authorization, x-eve-token, last-event-id, x-protocol, idempotency-key'

/**
 * Refuses the pages of foreign origins, which a browser would send with the user's rights. Our own and those allowed by name (like
 * `https://app.example`) may speak to us; with `credentials` a browser may send their users' cookies along.
 */
export function pages(origins: readonly string[], credentials = false): MiddlewareHandler {
  const originOf = knownOrigins(origins)
  return async (c, next) => {
    const origin = originOf(comerOf(c))
    if (origin === undefined) return next()
    // A browser asks without the token that it will send. Our own pages need not ask.
    if (c.req.method === 'OPTIONS') return preflight(c, origin, credentials)
    await next()
    return share(c, origin, credentials)
  }
}

/** Gives the origin of a page that was allowed by name; none for our own, and for what is no page. @throws ServiceError `forbidden` */
export function knownOrigins(origins: readonly string[]): (comer: Comer) => string | undefined {
  const allowed = new Set(origins)
  return (comer) => {
    const origin = comer.header('origin')
    if (origin === undefined || allowed.has(origin)) return origin
    if (isOwn(origin, comer)) return undefined
    throw new ServiceError(
      'forbidden',
      `Pages of ${origin.slice(0, 100)} may not use this server. Allow them with --allow-origin.`,
    )
  }
}

/** A page of the name under which we are called. Whether that name is ours is asked of whoever brings no token. */
function isOwn(origin: string, { header, url }: Comer): boolean {
  const host = header('host') ?? new URL(url).host
  return origin === `http://${host}` || origin === `https://${host}`
}

function share(c: Context, origin: string, credentials: boolean): void {
  c.res.headers.set('access-control-allow-origin', origin)
  c.res.headers.set('access-control-expose-headers', EXPOSED)
  if (credentials) c.res.headers.set('access-control-allow-credentials', 'true')
  c.res.headers.append('vary', 'origin')
}

function preflight(c: Context, origin: string, credentials: boolean): Response {
  return c.body(null, 204, {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
    'access-control-allow-headers': ACCEPTED,
    'access-control-max-age': '600',
    ...(credentials && { 'access-control-allow-credentials': 'true' }),
    vary: 'origin',
  })
}
