import type { IncomingMessage } from 'node:http'

import type { MiddlewareHandler } from 'hono'

import { ServiceError } from '../../errors.ts'
import type { HttpEnv } from './http-env.ts'
import type { RequestLoad } from './request-load.ts'

/** A body must arrive within the timeout, with a minimum of bytes in each interval. */
const BODY_TIMEOUT_MS = 30_000
const INTERVAL_MS = 5000
const MIN_BYTES_PER_INTERVAL = 1024

/**
 * Refuses a body that arrives too slowly, because it would hold a connection and its waiting code. Also refuses a
 * body for which there is no memory.
 */
export const limitBodyPace: MiddlewareHandler<HttpEnv> = async (c, next) => {
  const incoming = (c.env as HttpEnv['Bindings'] | undefined)?.incoming
  if (!incoming || incoming.complete || !hasBody(incoming)) return next()
  const watch = watchPace(incoming)
  try {
    await Promise.race([next(), watch.seen, countBody(incoming, c.get('progress'))])
  } finally {
    watch.end()
  }
}

/** https://www.rfc-editor.org/rfc/rfc9112#section-6.3 */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** `tooSlow` rejects, if at all, before the body is complete. */
function watchPace(incoming: IncomingMessage): { seen: Promise<never>; end(): void } {
  const tooSlow = Promise.withResolvers<never>()
  const end = (): void => clearInterval(timer)
  let intervals = 0
  let before = incoming.socket.bytesRead
  const timer = setInterval(() => {
    if (incoming.complete) return end()
    const now = incoming.socket.bytesRead
    const slow = now - before < MIN_BYTES_PER_INTERVAL
    before = now
    intervals += 1
    if (!slow && intervals * INTERVAL_MS < BODY_TIMEOUT_MS) return undefined
    tooSlow.reject(
      new ServiceError(
        'too-slow',
        slow
          ? `The body came too slowly: fewer than ${MIN_BYTES_PER_INTERVAL} bytes in ${INTERVAL_MS / 1000} seconds.`
          : `The body did not come within ${BODY_TIMEOUT_MS / 1000} seconds.`,
      ),
    )
    return end()
  }, INTERVAL_MS)
  return { seen: tooSlow.promise, end }
}

/** Counts a body as it arrives. Rejects once there is no room for more; the rest is discarded. */
function countBody(incoming: IncomingMessage, progress: RequestLoad | undefined): Promise<never> {
  const full = Promise.withResolvers<never>()
  const push = incoming.push.bind(incoming)
  let isFull = false
  incoming.push = (piece: Uint8Array | null, encoding) => {
    try {
      if (!isFull && piece) {
        progress?.requireRoom()
        progress?.addBytes(piece.length)
      }
    } catch (error) {
      isFull = true
      full.reject(error)
    }
    return isFull && piece ? true : push(piece, encoding)
  }
  return full.promise
}
