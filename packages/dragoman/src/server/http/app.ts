import type { HttpEnv } from './http-env.ts'
import { Hono } from 'hono'

import { isServiceError, ServiceError, statusOf, toFailure } from '../../errors.ts'
import { isGuest } from '../../events/index.ts'
import { callerResolver, requestInfo, type CallerRules } from './resolve-caller.ts'
import { limitBodyPace } from './limit-body-pace.ts'
import { deliverFeeds } from './deliver.ts'
import { limitLoad, createLoad, type LoadLimits } from './limit-load.ts'
import { cors } from './cors.ts'
import { logRequests, type RequestLogEntry } from './log-requests.ts'

const STALL_TIMEOUT_MS = 60_000

export type AppOptions = CallerRules & {
  /** Origins besides our own whose pages may speak to us, like `https://app.example`. */
  readonly origins: readonly string[]
  readonly limits: LoadLimits
  /** After so many ms in which a reader has taken nothing it is cut off; its cursor is good for what it missed. */
  readonly stallTimeoutMs?: number
  /** Told of what nobody foresaw; the caller gets a fixed sentence. */
  readonly report: (error: unknown, where: string) => void
  /** Told each request, once its answer begins. */
  readonly logRequest: (line: RequestLogEntry) => void
}

/** The door: who may speak to us, and how what goes wrong is told. Routes are mounted on it. */
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
    // Who asks whether a token is good is answered, and those who watch over a server have none.
    if (c.req.path === '/auth/verify' || (rules.local === undefined && c.req.path === '/health'))
      return next()
    const { userId, token, cookie } = await resolveCaller(requestInfo(c))
    c.set('userId', userId)
    c.set('tokenId', token?.id)
    // All that the user of this machine asks is limited as what all ask is.
    if (userId !== rules.local) c.get('progress')?.assignUser(userId)
    await next()
    if (cookie !== undefined) c.res.headers.append('set-cookie', cookie)
    // Caches between us know what is somebody's by its token, and not by a cookie.
    if (isGuest(userId) && !c.res.headers.has('cache-control'))
      c.res.headers.set('cache-control', 'private, no-store')
  })
  app.use(limitBodyPace)
  app.notFound((c) => {
    throw new ServiceError('not-found', `There is no ${c.req.method} ${c.req.path} here.`)
  })
  app.onError((error, c) => {
    // Whoever left in the middle of their own body broke what read it, and hears nothing more.
    if (isServerError(error) && !c.req.raw.signal.aborted) report(error, c.req.path)
    const { message, code, retryAfter } = toFailure(error)
    const [language = ''] = (c.req.header('accept-language') ?? '').trim().toLowerCase().split(/[,;]/, 1)
    const { details = {} } = isServiceError(error) ? error : {}
    const sentence = isServiceError(error) ? error.messageIn(language) : message
    const headers: Record<string, string> = {
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
      ...(code === 'unauthorized' && { 'www-authenticate': 'Bearer' }),
      // What is left of the body is not read: the connection is good for no other request.
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

/** Not the caller's mistake, nor one that the answer itself tells of: that we are about to close has no cause, that the store fails has. */
function isServerError(error: unknown): boolean {
  if (!isServiceError(error) || error.code === 'internal') return true
  return error.code === 'unavailable' && error.cause !== undefined
}
