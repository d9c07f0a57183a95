import type { Context, MiddlewareHandler } from 'hono'

import type { HttpEnv } from './http-env.ts'

/** The log entry of a request. It has nothing that may be secret: no query, header or body. */
export type RequestLogEntry = {
  readonly method: string
  readonly path: string
  /** The pattern of the path. Undefined for a path that no route has. */
  readonly route: string | undefined
  readonly status: number
  /** Time until the head of the response: a stream lasts as long as its run. */
  readonly ms: number
  readonly userId: string | undefined
  readonly run: string | undefined
}

/** Logs each request once its response begins. */
export function logRequests(log: (line: RequestLogEntry) => void): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const start = performance.now()
    await next()
    log({
      method: c.req.method,
      path: c.req.path.slice(0, 200),
      route: routeOf(c),
      status: c.res.status,
      ms: Math.round(performance.now() - start),
      userId: c.get('userId'),
      run: c.res.headers.get('x-run-id') ?? undefined,
    })
  }
}

/** The pattern of the path, which names nothing of a user. */
export function routeOf(c: Context<HttpEnv>): string | undefined {
  return c.req.matchedRoutes.findLast(({ method }) => method !== 'ALL')?.path
}
