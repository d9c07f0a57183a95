import type { Context, MiddlewareHandler } from 'hono'

import { ServiceError } from '../../errors.ts'

export type Admission = {
  /** Names besides the loopback ones under which we may be called. */
  readonly hosts: readonly string[]
  /** Origins besides our own whose pages may speak to us, like `https://app.example`. */
  readonly origins: readonly string[]
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])
const EXPOSED = 'x-run-id, x-conversation-id, x-vercel-ai-ui-message-stream, retry-after'
const ACCEPTED = 'content-type, authorization, last-event-id, x-protocol, idempotency-key'

/**
 * Refuses requests under a foreign name (a page may point its own domain at our address) and from foreign pages, which a browser
 * would send with the user's rights.
 */
export function admission({ hosts, origins }: Admission): MiddlewareHandler {
  const names = new Set([...LOOPBACK, ...hosts])
  const allowed = new Set(origins)
  return async (c, next) => {
    const { host } = new URL(c.req.url)
    if (!names.has(nameOf(c.req.header('host') ?? host))) {
      throw new ServiceError('forbidden', 'This server does not answer under that host name.')
    }
    const origin = c.req.header('origin')
    if (origin === undefined) return next()
    const own = isOwn(origin, c.req.header('host') ?? host)
    if (!own && !allowed.has(origin)) {
      throw new ServiceError(
        'forbidden',
        `Pages of ${origin.slice(0, 100)} may not use this server. Allow them with --allow-origin.`,
      )
    }
    if (c.req.method === 'OPTIONS') return preflight(c, origin)
    await next()
    if (!own) share(c, origin)
  }
}

function isOwn(origin: string, host: string): boolean {
  return origin === `http://${host}` || origin === `https://${host}`
}

function nameOf(host: string): string {
  return host.replace(/:\d+$/, '').toLowerCase()
}

function share(c: Context, origin: string): void {
  c.res.headers.set('access-control-allow-origin', origin)
  c.res.headers.set('access-control-expose-headers', EXPOSED)
  c.res.headers.append('vary', 'origin')
}

function preflight(c: Context, origin: string): Response {
  return c.body(null, 204, {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
    'access-control-allow-headers': ACCEPTED,
    'access-control-max-age': '600',
    vary: 'origin',
  })
}
