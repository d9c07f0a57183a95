import type { HttpEnv } from './http-env.ts'
import { Hono } from 'hono'

import { isServiceError, ServiceError, statusOf, toFailure } from '../../errors.ts'
import { isGuest } from '../../events/index.ts'
import { callerResolver, requestInfo, type CallerRules } from './resolve-caller.ts'
import { limitBodyPace } from './limit-body-pace.ts'
import { deliverFeeds } from './respond-with-feed.ts'
import { limitLoad, createLoad, type LoadLimits } from './limit-load.ts'
import { cors } from './cors.ts'
import { logRequests, type RequestLogEntry } from './log-requests.ts'

const STALL_TIMEOUT_MS = 60_000

export type AppOptions = CallerRules & {
  /** Origins, besides the server's own, whose pages may send requests, such as `https://app.example`. */
  readonly origins: readonly string[]
  readonly limits: LoadLimits
  /** A reader that takes nothing for this long is disconnected. Its cursor resumes what it missed. */
  readonly stallTimeoutMs?: number
  /** Reports an unexpected error. The caller gets a fixed sentence. */
  readonly report: (error: unknown, where: string) => void
  /** Logs a request once its response begins. */
  readonly logRequest: (line: RequestLogEntry) => void
}

/** Creates the app: admission, limits and error responses. Routes are mounted on it. */
export function createHttpApp({
  report,
  logRequest,
  origins,
  limits,
  stallTimeoutMs = STALL_TIMEOUT_MS,
  ...rules
}: AppOptions): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()
  const resolveCaller = callerResolver(rules)
  app.use(deliverFeeds(stallTimeoutMs))
  app.use(logRequests(logRequest))
  app.use(cors(origins, rules.guests !== undefined))
  app.use(limitLoad(createLoad(limits), stallTimeoutMs))
  app.use(async (c, next) => {
    if (answersEveryone(c.req.path) || (rules.local === undefined && isPublic(c.req.path))) return next()
    const { userId, token, cookie, isByCookie = false } = await resolveCaller(requestInfo(c))
    c.set('userId', userId)
    c.set('tokenId', token?.id)
    // The one local user shares the limit of all requests.
    if (userId !== rules.local) c.get('progress')?.assignUser(userId)
    await next()
    if (cookie !== undefined) c.res.headers.append('set-cookie', cookie)
    // Caches treat responses to a token as private, but not responses to a cookie.
    if ((isByCookie || isGuest(userId)) && !c.res.headers.has('cache-control'))
      c.res.headers.set('cache-control', 'private, no-store')
  })
  app.use(limitBodyPace)
  app.notFound((c) => {
    throw new ServiceError('not-found', `There is no ${c.req.method} ${c.req.path} here.`)
  })
  app.onError((error, c) => {
    // A client that disconnected while it sent its body caused the error and gets no response.
    if (isServerError(error) && !c.req.raw.signal.aborted) report(error, c.req.path)
    const { message, code, retryAfter } = toFailure(error)
    const [language = ''] = (c.req.header('accept-language') ?? '').trim().toLowerCase().split(/[,;]/, 1)
    const { details = {} } = isServiceError(error) ? error : {}
    const sentence = isServiceError(error) ? error.messageIn(language) : message
    const headers: Record<string, string> = {
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
      ...(code === 'unauthorized' && { 'www-authenticate': 'Bearer' }),
      // The rest of the body is not read, so the connection cannot be reused.
      ...((code === 'too-large' || c.env?.incoming?.complete === false) && { connection: 'close' }),
    }
    return c.json(
      { error: sentence, code, ...(retryAfter !== undefined && { retryAfter }), ...details },
      statusOf(error),
      headers,
    )
  })
  return app
}

/**
 * Whether an error must be reported: unexpected, or a failure of the store. `unavailable` without a cause means that
 * the server is closing.
 */
function isServerError(error: unknown): boolean {
  if (!isServiceError(error) || error.code === 'internal') return true
  return error.code === 'unavailable' && error.cause !== undefined
}

/** These find out themselves who asks. */
const AUTH_PATHS = new Set(['/auth/verify', '/auth/sign-in', '/auth/sign-out', '/auth/guest'])

function answersEveryone(path: string): boolean {
  return AUTH_PATHS.has(path)
}

/**
 * Paths that need no token: the console's own files, which show nothing of any user, and what proxies and orchestrators
 * ask, whose answers say only that the server works.
 */
function isPublic(path: string): boolean {
  return path === '/health' || path === '/ready' || path === '/' || path.startsWith('/console/')
}
