import type { HttpEnv } from './http-env.ts'
import { Hono, type MiddlewareHandler } from 'hono'

import { isServiceError, ServiceError, statusOf, toFailure } from '../../errors.ts'
import { isGuest } from '../../events/index.ts'
import { requestInfo } from './request-info.ts'
import { callerResolver, requireMayAct, type CallerRules } from './resolve-caller.ts'
import { deliverFeeds } from './respond-with-feed.ts'
import { countRequests, limitBodies } from './count-requests.ts'
import type { LoadAccount } from '../load/index.ts'
import { cors } from './cors.ts'
import { logRequests, type RequestLogEntry } from './log-requests.ts'

const STALL_TIMEOUT_MS = 60_000

export type AppOptions = CallerRules & {
  /** Origins, besides the server's own, whose pages may send requests, such as `https://app.example`. */
  readonly origins: readonly string[]
  readonly load: LoadAccount
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
  load,
  stallTimeoutMs = STALL_TIMEOUT_MS,
  ...rules
}: AppOptions): Hono<HttpEnv> {
  // Pages whose framework ends each path with a slash use the same addresses.
  const app = new Hono<HttpEnv>({ strict: false })
  app.use(deliverFeeds(stallTimeoutMs))
  app.use(logRequests(logRequest))
  app.use(cors(origins, report, rules.guests !== undefined))
  app.use(countRequests(load, rules.proxies, stallTimeoutMs))
  app.use(identifyCaller(rules, load))
  app.use(limitBodies)
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
    }
    return c.json(
      { error: sentence, code, ...(retryAfter !== undefined && { retryAfter }), ...details },
      statusOf(error),
      headers,
    )
  })
  return app
}

/** Finds out who asks, and admits the request. */
function identifyCaller(rules: CallerRules, load: LoadAccount): MiddlewareHandler<HttpEnv> {
  const resolveCaller = callerResolver(rules)
  return async (c, next) => {
    const admitWithoutUser = (): void => c.get('progress')?.admit(c.get('load'))
    if (answersEveryone(c.req.path) || (rules.local === undefined && isPublic(c.req.path))) {
      admitWithoutUser()
      return next()
    }
    const caller = await resolveCaller(requestInfo(c)).catch((error: unknown) => {
      admitWithoutUser()
      throw error
    })
    const { userId, token, session, cookie, isOwner = false, isByCookie = false } = caller
    c.set('userId', userId)
    c.set('isOwner', isOwner)
    c.set('sessionId', session?.id)
    c.set('requireMayAct', () => requireMayAct(caller))
    // What a token holds ends with it, and what a session holds with the session.
    c.set('load', load.share({ userId, tokenId: session?.id ?? token?.id }))
    const share = load.share({ userId })
    // The first request of a connection has waited for no turn: its user was not known.
    await share.turn(c.get('progress')?.signal)
    c.get('progress')?.admit(share)
    await next()
    if (cookie !== undefined) c.res.headers.append('set-cookie', cookie)
    // Caches treat responses to a token as private, but not responses to a cookie.
    if ((isByCookie || isGuest(userId)) && !c.res.headers.has('cache-control'))
      c.res.headers.set('cache-control', 'private, no-store')
  }
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
const AUTH_PATHS = new Set(['/auth/verify', '/auth/sign-in', '/auth/sign-out', '/auth/guest', '/auth/pair'])

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
