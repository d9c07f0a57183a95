import type { MiddlewareHandler } from 'hono'

import { ServiceError } from '../../errors.ts'
import { bringsToken, comerOf, type Comer } from './admission.ts'

const EXPOSED =
  'x-run-id, x-conversation-id, x-request-id, x-session-created, x-after, x-workflow-run-id, x-workflow-stream-tail-index, x-vercel-ai-ui-message-stream, retry-after, www-authenticate'

/** Allows the pages that any server on this machine shows. */
const ANY_LOCALHOST = 'http://localhost:*'

/**
 * Gives the origin of a page that was allowed by name; none for our own, and for what is no page. @throws ServiceError
 * `forbidden`
 */
export type OriginOf = (comer: Comer) => string | undefined

/**
 * Refuses the pages of foreign origins, which a browser would send with the user's rights. Our own and those allowed by name (like
 * `https://app.example`) may speak to us; with `credentials` a browser may send their users' cookies along.
 */
export function pages(origins: readonly string[], credentials = false): MiddlewareHandler {
  const originOf = knownOrigins(origins)
  return async (c, next) => {
    const comer = comerOf(c)
    const origin = originOf(comer)
    if (origin === undefined) return next()
    // A browser asks without the token that it will send. Our own pages need not ask.
    if (c.req.method === 'OPTIONS') return c.body(null, 204, preflightHeaders(comer, origin, credentials))
    await next()
    for (const [name, value] of Object.entries(sharingHeaders(origin, credentials))) {
      if (name === 'vary') c.res.headers.append(name, value)
      else c.res.headers.set(name, value)
    }
    return undefined
  }
}

/** `origins` has names like `https://app.example` and `chrome-extension://ID`, and perhaps `http://localhost:*`. */
export function knownOrigins(origins: readonly string[]): OriginOf {
  const allowed = new Set(origins)
  const isAllowed = (origin: string): boolean =>
    allowed.has(origin) || (allowed.has(ANY_LOCALHOST) && /^http:\/\/localhost(?::\d{1,5})?$/.test(origin))
  return (comer) => {
    const origin = comer.header('origin')
    if (origin === undefined) {
      refuseForeignSite(comer)
      return undefined
    }
    if (isAllowed(origin)) return origin
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

const FOREIGN_SITES = new Set<string | undefined>(['cross-site', 'same-site'])
/** Pages for people that show nobody's data. A link on another site may lead to them. */
const LINKED = new Set(['/', '/docs'])

/** A script, an image or a link of another page sends no origin. The browser still says that it is another site's. */
function refuseForeignSite(comer: Comer): void {
  const { method, path, header } = comer
  if (!FOREIGN_SITES.has(header('sec-fetch-site')) || bringsToken(comer)) return
  const isLink = header('sec-fetch-mode') === 'navigate' && header('sec-fetch-dest') === 'document'
  if (isLink && method === 'GET' && LINKED.has(path)) return
  throw new ServiceError('forbidden', 'Pages of other sites may not use this server without a token.')
}

/** What lets a page of that origin read an answer. */
export function sharingHeaders(origin: string, credentials: boolean): Record<string, string> {
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': EXPOSED,
    ...(credentials && { 'access-control-allow-credentials': 'true' }),
    vary: 'origin',
  }
}

/** What lets it ask: any header that it wants to send may be sent. */
export function preflightHeaders(
  { header }: Comer,
  origin: string,
  credentials: boolean,
): Record<string, string> {
  const wanted = header('access-control-request-headers')
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
    ...(wanted !== undefined && { 'access-control-allow-headers': wanted }),
    'access-control-max-age': '600',
    ...(credentials && { 'access-control-allow-credentials': 'true' }),
    vary: 'origin, access-control-request-headers',
  }
}
