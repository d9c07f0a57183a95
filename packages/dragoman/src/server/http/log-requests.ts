import type { MiddlewareHandler } from 'hono'

import type { HttpEnv } from './http-env.ts'

/** What is told of a request. Nothing that its sender may have put a secret in: no query, header or body. */
export type RequestLogEntry = {
  readonly method: string
  readonly path: string
  readonly status: number
  /** Until the head of the answer: a stream goes on for as long as its run. */
  readonly ms: number
  readonly userId: string | undefined
  readonly runId: string | undefined
}

/** Tells of each request once its answer begins. */
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
