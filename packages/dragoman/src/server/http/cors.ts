import type { MiddlewareHandler } from 'hono'

import { ServiceError } from '../../errors.ts'
import { hasToken, requestInfo, type RequestInfo } from './resolve-caller.ts'

const EXPOSED_HEADERS =
  'x-run-id, x-conversation-id, x-request-id, x-session-created, x-after, x-workflow-run-id, x-workflow-stream-tail-index, x-vercel-ai-ui-message-stream, retry-after, www-authenticate'

/** Allows the pages that any server on this machine shows. */
const ANY_LOCALHOST = 'http://localhost:*'

/**
 * Gives the origin of a page that was allowed by name; none for our own, and for what is no page. @throws ServiceError
 * `forbidden`
 */
export type OriginCheck = (request: RequestInfo) => string | undefined

/**
 * Refuses the pages of foreign origins, which a browser would send with the user's rights. Our own and those allowed by name (like
 * `https://app.example`) may speak to us; with `credentials` a browser may send their users' cookies along.
 */
export function cors(origins: readonly string[], credentials = false): MiddlewareHandler {
  const checkOrigin = createOriginCheck(origins)
  return async (c, next) => {
    const request = requestInfo(c)
    const origin = checkOrigin(request)
    if (origin === undefined) return next()
    // A browser asks without the token that it will send. Our own pages need not ask.
    if (c.req.method === 'OPTIONS') return c.body(null, 204, preflightHeaders(request, origin, credentials))
    await next()
    for (const [name, value] of Object.entries(corsHeaders(origin, credentials))) {
      if (name === 'vary') c.res.headers.append(name, value)
      else c.res.headers.set(name, value)
    }
    return undefined
  }
}

/** `origins` has names like `https://app.example` and `chrome-extension://ID`, and perhaps `http://localhost:*`. */
export function createOriginCheck(origins: readonly string[]): OriginCheck {
  const allowed = new Set(origins)
  const isAllowed = (origin: string): boolean =>
    allowed.has(origin) || (allowed.has(ANY_LOCALHOST) && /^http:\/\/localhost(?::\d{1,5})?$/.test(origin))
  return (request) => {
    const origin = request.header('origin')
    if (origin === undefined) {
      checkFetchSite(request)
      return undefined
    }
    if (isAllowed(origin)) return origin
    if (isSameOrigin(origin, request)) return undefined
    throw new ServiceError(
      'forbidden',
      `Pages of ${origin.slice(0, 100)} may not use this server. Allow them with --allow-origin.`,
    )
  }
}

/** A page of the name under which we are called. Whether that name is ours is asked of whoever brings no token. */
function isSameOrigin(origin: string, { header, url }: RequestInfo): boolean {
  const host = header('host') ?? new URL(url).host
  return origin === `http://${host}` || origin === `https://${host}`
}

const FOREIGN_SITES = new Set<string | undefined>(['cross-site', 'same-site'])
/** Pages for people that show nobody's data. A link on another site may lead to them. */
const LINKABLE_PATHS = new Set(['/', '/docs'])

/** A script, an image or a link of another page sends no origin. The browser still says that it is another site's. */
function checkFetchSite(request: RequestInfo): void {
  const { method, path, header } = request
  if (!FOREIGN_SITES.has(header('sec-fetch-site')) || hasToken(request)) return
  const isLink = header('sec-fetch-mode') === 'navigate' && header('sec-fetch-dest') === 'document'
  if (isLink && method === 'GET' && LINKABLE_PATHS.has(path)) return
  throw new ServiceError('forbidden', 'Pages of other sites may not use this server without a token.')
}

/** What lets a page of that origin read an answer. */
export function corsHeaders(origin: string, credentials: boolean): Record<string, string> {
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': EXPOSED_HEADERS,
    ...(credentials && { 'access-control-allow-credentials': 'true' }),
    vary: 'origin',
  }
}

/** What lets it ask: any header that it wants to send may be sent. */
export function preflightHeaders(
  { header }: RequestInfo,
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
