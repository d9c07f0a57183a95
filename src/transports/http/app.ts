import type { HttpBindings } from '@hono/node-server'
import { Hono, type MiddlewareHandler } from 'hono'

import { isServiceError, ServiceError, statusOf, toFailure } from '../../errors.ts'
import { admission, type Admission } from './admission.ts'

/** What is known of a caller once the door has let it in. */
export type HttpEnv = { Variables: { userId: string }; Bindings: Partial<HttpBindings> }

export type AppOptions = Admission & {
  /** Told of what nobody foresaw; the caller gets a fixed sentence. */
  readonly report: (error: unknown, where: string) => void
}

/** The door: who may speak to us, and how what goes wrong is told. Routes are mounted on it. */
export function httpApp({ report, ...rules }: AppOptions): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()
  app.use(admission(rules))
  app.use(asLocalUser)
  app.notFound((c) => {
    throw new ServiceError('not-found', `There is no ${c.req.method} ${c.req.path} here.`)
  })
  app.onError((error, c) => {
    if (isOurs(error)) report(error, c.req.path)
    const { message, code, retryAfter } = toFailure(error)
    const details = isServiceError(error) ? error.details : {}
    const headers: Record<string, string> =
      retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
    return c.json(
      { error: message, code, ...(retryAfter !== undefined && { retryAfter }), ...details },
      statusOf(error),
      headers,
    )
  })
  return app
}

/** Not the caller's mistake, nor one that the answer itself tells of. */
function isOurs(error: unknown): boolean {
  return !isServiceError(error) || error.code === 'internal' || error.code === 'unavailable'
}

/** On a loopback bind there is one user, until tokens say otherwise. */
const asLocalUser: MiddlewareHandler<HttpEnv> = async (c, next) => {
  c.set('userId', 'local')
  await next()
}
