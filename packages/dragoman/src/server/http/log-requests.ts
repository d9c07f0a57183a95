import type { MiddlewareHandler } from 'hono'

import type { HttpEnv } from './http-env.ts'

/** The log entry of a request. It has nothing that may be secret: no query, header or body. */
export type RequestLogEntry = {
  readonly method: string
  readonly path: string
  readonly status: number
  /** Time until the head of the response: a stream lasts as long as its run. */
  readonly ms: number
  readonly userId: string | undefined
  readonly runId: string | undefined
}

/** Logs each request once its response begins. */
export function logRequests(log: (line: RequestLogEntry) => void): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const start = performance.now()
    await next()
    log({
      method: c.req.method,
      path: c.req.path.slice(0, 200),
      status: c.res.status,
      ms: Math.round(performance.now() - start),
      userId: c.get('userId'),
      runId: c.res.headers.get('x-run-id') ?? undefined,
    })
  }
}
