import type { HttpEnv } from './http-env.ts'
import { Hono, type Context, type MiddlewareHandler } from 'hono'

import { workFor } from '../../async/index.ts'
import { isServiceError, ServiceError, statusOf, toFailure } from '../../errors.ts'
import { isGuest } from '../../events/index.ts'
import { shouldReplyInText } from './read-json.ts'
import { requestInfo } from './request-info.ts'
import { callerResolver, requireMayAct, type Caller, type CallerRules } from './resolve-caller.ts'
import { deliverFeeds } from './respond-with-feed.ts'
import { countRequests, limitBodies } from './count-requests.ts'
import type { LoadAccount } from '../load/index.ts'
import { cors } from './cors.ts'
import { logRequests, routeOf, type RequestLogEntry } from './log-requests.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
const STALL_TIMEOUT_MS = 60_000

type Refused = {
  readonly error: ServiceError
  readonly userId: string | undefined
  /** The pattern of the path: paths have the users' names of threads. */
  readonly route: string | undefined
}

export type AppOptions = CallerRules & {
  /** Origins, besides the server's own, whose pages may send requests, such as `https://app.example`. */
  readonly origins: readonly string[]
  /** See `Config.basePath`. */
  readonly basePath?: string
  readonly load: LoadAccount
  /** Bytes that a JSON body may have, where a route does not say less. */
  readonly bodyBytes?: number
  /** A reader that takes nothing for this long is disconnected. Its cursor resumes what it missed. */
  readonly stallTimeoutMs?: number
  /** Reports an unexpected error. The caller gets a fixed sentence. */
  readonly report: (error: unknown, where: string) => void
  /** Logs a request once its response begins. */
  readonly logRequest: (line: RequestLogEntry) => void
  /** Gets what callers are answered in place of what they asked for. */
  readonly onRefused?: (refused: Refused) => void
  /** Aborts when readers who wait for more must go to another process. */
  readonly cut?: AbortSignal
  /** Called before the request of a user is answered. */
  readonly beforeAnswer?: () => Promise<void>
}

/** Creates the app: admission, limits and error responses. Routes are mounted on it. */
export function createHttpApp({
  report,
  logRequest,
  onRefused,
  origins,
  basePath = '',
  load,
  bodyBytes,
  stallTimeoutMs = STALL_TIMEOUT_MS,
  cut,
  beforeAnswer,
  ...rules
}: AppOptions): Hono<HttpEnv> {
  // Pages whose framework ends each path with a slash use the same addresses.
  const app = new Hono<HttpEnv>({ strict: false })
  app.use(deliverFeeds(stallTimeoutMs, cut))
  app.use((c, next) => {
    c.set('basePath', basePath)
    if (bodyBytes !== undefined) c.set('bodyBytes', bodyBytes)
    return next()
  })
  app.use(logRequests(logRequest))
  app.use(cors(origins, report, rules.guests !== undefined))
  app.use(countRequests(load, rules.proxies, stallTimeoutMs))
  app.use(identifyCaller(rules, load))
  if (beforeAnswer) app.use(beforeUse(beforeAnswer))
  app.use(limitBodies)
  app.notFound((c) => {
    const { method, path } = c.req
    const allowed = methodsOf(app, path)
    if (allowed.length === 0) throw new ServiceError('not-found', `There is no ${method} ${path} here.`)
    c.header('allow', allowed.join(', '))
    throw new ServiceError('method-not-allowed', `${path} takes ${allowed.join(', ')}, and no ${method}.`)
  })
  app.onError((error, c) => {
    // A client that disconnected while it sent its body caused the error and gets no response.
    if (isServerError(error) && !c.req.raw.signal.aborted) report(error, routeOf(c) ?? c.req.method)
    if (isServiceError(error)) onRefused?.({ error, userId: c.get('userId'), route: routeOf(c) })
    return sendError(c, error)
  })
  return app
}

/** Sends an error in the caller's language. */
async function sendError(c: Context<HttpEnv>, error: unknown): Promise<Response> {
  const { message, code, retryAfter } = toFailure(error)
  const [language = ''] = (c.req.header('accept-language') ?? '').trim().toLowerCase().split(/[,;]/, 1)
  const { details: { history, ...details } = {} } = isServiceError(error) ? error : {}
  const sentence = isServiceError(error) ? error.messageIn(language) : message
  const headers: Record<string, string> = {
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    ...(code === 'unauthorized' && { 'www-authenticate': 'Bearer' }),
  }
  const status = statusOf(error)
  if (await shouldReplyInText(c, status)) return c.text(sentence, status, headers)
  const body = {
    error: sentence,
    code,
    ...(retryAfter !== undefined && { retryAfter }),
    ...details,
    ...(typeof history === 'string' && { history: c.get('basePath') + history }),
  }
  return c.json(body, status, headers)
}

function beforeUse(act: () => Promise<void>): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    if (!isPublic(c.req.path) && !answersEveryone(c.req.path)) await act()
    return next()
  }
}

/** The methods that a path takes: none if nothing is there. */
function methodsOf(app: Hono<HttpEnv>, path: string): string[] {
  return METHODS.filter((method) => {
    const verb = method === 'HEAD' ? 'GET' : method
    const [handlers] = app.router.match(verb, path)
    return handlers.some(([[, route]]) => route.method === verb)
  })
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
    const { socketCaller } = c.env ?? {}
    const resolve = async (): Promise<Caller> => socketCaller?.caller ?? resolveCaller(requestInfo(c))
    const caller = await resolve().catch((error: unknown) => {
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
    await workFor(userId, next)
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

const PUBLIC_PATHS = new Set(['/', '/health', '/ready', '/v1/mcp/client.json'])

function answersEveryone(path: string): boolean {
  return AUTH_PATHS.has(path)
}

/**
 * Paths that need no token: the console's own files, which show nothing of any user, what proxies and orchestrators
 * ask, whose answers say only that the server works, and what authorization servers ask, which is the same for all.
 */
function isPublic(path: string): boolean {
  return PUBLIC_PATHS.has(path) || path.startsWith('/console/')
}
