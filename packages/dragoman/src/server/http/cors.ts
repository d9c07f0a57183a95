import type { MiddlewareHandler } from 'hono'

import { ServiceError } from '../../errors.ts'
import { hasToken, requestInfo, type RequestInfo } from './request-info.ts'

const EXPOSED_HEADERS =
  'x-run-id, x-conversation-id, x-request-id, x-session-created, x-after, x-workflow-run-id, ' +
  'x-workflow-stream-tail-index, x-vercel-ai-ui-message-stream, x-resumable-stream-id, retry-after, ' +
  'www-authenticate'

/** Foreign origins that are reported: any page may come with any. */
const MAX_REPORTED = 20
/** Its id may be in capitals. */
const SAFARI_EXTENSION = /^safari-web-extension:/
/** A page of a server on this machine. `http://localhost:*` allows all of them. */
const LOCAL_PAGE = /^(http:\/\/(?:localhost|127\.0\.0\.1))(?::\d{1,5})?$/

/**
 * Returns the origin of an allowed page; undefined for the server's own pages and for other clients.
 * @throws ServiceError `forbidden`
 */
export type OriginCheck = (request: RequestInfo) => string | undefined

/**
 * Refuses pages of foreign origins, which a browser would send with the user's rights. Pages of the server and of
 * `origins` (such as `https://app.example`) may send requests. With `credentials`, browsers may send cookies.
 */
export function cors(
  origins: readonly string[],
  report: (error: unknown, where: string) => void,
  credentials = false,
): MiddlewareHandler {
  const checkOrigin = createOriginCheck(origins, report)
  return async (c, next) => {
    const request = requestInfo(c)
    const origin = checkOrigin(request)
    if (origin === undefined) return next()
    // A preflight has no token. The server's own pages need none.
    if (c.req.method === 'OPTIONS') return c.body(null, 204, preflightHeaders(request, origin, credentials))
    await next()
    for (const [name, value] of Object.entries(corsHeaders(origin, credentials))) {
      if (name === 'vary') c.res.headers.append(name, value)
      else c.res.headers.set(name, value)
    }
    return undefined
  }
}

/**
 * Origins like `https://app.example`, `chrome-extension://ID`, `null` and `http://localhost:*`. `report` gets one
 * refusal for each origin: browsers keep it from the page, so that the log alone can say what to do.
 */
export function createOriginCheck(
  origins: readonly string[],
  report: (error: unknown, where: string) => void,
): OriginCheck {
  const allowed = new Set(origins)
  const reported = new Set<string>()
  const isAllowed = (origin: string): boolean =>
    !origin.endsWith('*') &&
    (allowed.has(SAFARI_EXTENSION.test(origin) ? origin.toLowerCase() : origin) ||
      allowed.has(origin.replace(LOCAL_PAGE, '$1:*')))
  return (request) => {
    const origin = request.header('origin')
    if (origin === undefined) {
      checkFetchSite(request)
      return undefined
    }
    if (isAllowed(origin)) return origin
    if (isSameOrigin(origin, request)) return undefined
    const name = origin.slice(0, 100)
    const refusal = new ServiceError(
      'forbidden',
      `Pages of ${name} may not use this server. Its owner allows them with: --allow-origin ${name}`,
    )
    if (reported.size < MAX_REPORTED && !reported.has(name)) {
      reported.add(name)
      report(refusal, request.path)
    }
    throw refusal
  }
}

/** Whether the page has the host name of the request. Requests without a token must also pass the host check. */
function isSameOrigin(origin: string, { header, url }: RequestInfo): boolean {
  const host = header('host') ?? new URL(url).host
  return origin === `http://${host}` || origin === `https://${host}`
}

const FOREIGN_SITES = new Set<string | undefined>(['cross-site', 'same-site'])
/** Pages without user data. Links on other sites may lead to them. */
const LINKABLE_PATH = /^\/(?:docs|console\/.*)?$/

/** Scripts, images and links of another page send no origin, but the browser sends `sec-fetch-site`. */
function checkFetchSite(request: RequestInfo): void {
  const { method, path, header } = request
  if (!FOREIGN_SITES.has(header('sec-fetch-site')) || hasToken(request)) return
  const isLink = header('sec-fetch-mode') === 'navigate' && header('sec-fetch-dest') === 'document'
  if (isLink && method === 'GET' && LINKABLE_PATH.test(path)) return
  throw new ServiceError('forbidden', 'Pages of other sites may not use this server without a token.')
}

/** Any page can have the origin `null`, from a sandboxed frame: it never gets the cookies of another. */
function credentialsHeader(origin: string, credentials: boolean): Record<string, string> {
  const isShared = origin === 'null' || origin === 'file://'
  return credentials && !isShared ? { 'access-control-allow-credentials': 'true' } : {}
}

/** Headers that let a page of the origin read a response. */
export function corsHeaders(origin: string, credentials: boolean): Record<string, string> {
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': EXPOSED_HEADERS,
    ...credentialsHeader(origin, credentials),
    vary: 'origin',
  }
}

/** Headers of a preflight response. Any requested header is allowed. */
export function preflightHeaders(
  { header }: RequestInfo,
  origin: string,
  credentials: boolean,
): Record<string, string> {
  const requestHeaders = header('access-control-request-headers')
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
    ...(requestHeaders !== undefined && { 'access-control-allow-headers': requestHeaders }),
    'access-control-max-age': '600',
    ...credentialsHeader(origin, credentials),
    vary: 'origin, access-control-request-headers',
  }
}
