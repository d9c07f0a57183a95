import type { MiddlewareHandler } from 'hono'

import type { HttpEnv } from './env.ts'

/** What is told of a request. Nothing that its sender may have put a secret in: no query, header or body. */
export type RequestLine = {
  readonly method: string
  readonly path: string
  readonly status: number
  /** Until the head of the answer: a stream goes on for as long as its run. */
  readonly ms: number
  readonly userId: string | undefined
  readonly runId: string | undefined
}

/** Tells of each request once its answer begins. */
export function requestLog(tell: (line: RequestLine) => void): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const begun = performance.now()
    await next()
    tell({
      method: c.req.method,
      path: c.req.path.slice(0, 200),
      status: c.res.status,
      ms: Math.round(performance.now() - begun),
      userId: c.get('userId'),
      runId: c.res.headers.get('x-run-id') ?? undefined,
    })
  }
}
