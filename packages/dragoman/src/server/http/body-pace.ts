import type { IncomingMessage } from 'node:http'

import type { MiddlewareHandler } from 'hono'

import { ServiceError } from '../../errors.ts'
import type { HttpEnv } from './env.ts'
import type { Progress } from './progress.ts'

/** A body has so long to come, in ms, and at least so many bytes of it come in each part of that time. */
const DEADLINE_MS = 30_000
const PART_MS = 5000
const LEAST_BYTES = 1024

/**
 * Refuses a body that comes too slowly: a client that trickles it would hold a connection, and what waits for it, for
 * ever. It also refuses one for
 * which there is no room in memory.
 */
export const paced: MiddlewareHandler<HttpEnv> = async (c, next) => {
  const incoming = (c.env as HttpEnv['Bindings'] | undefined)?.incoming
  if (!incoming || incoming.complete || !hasBody(incoming)) return next()
  const watch = slowness(incoming)
  try {
    await Promise.race([next(), watch.seen, roomFor(incoming, c.get('progress'))])
  } finally {
    watch.end()
  }
}

/** https://www.rfc-editor.org/rfc/rfc9112#section-6.3 */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** `seen` rejects, if at all, before the body is there. */
function slowness(incoming: IncomingMessage): { seen: Promise<never>; end(): void } {
  const seen = Promise.withResolvers<never>()
  const end = (): void => clearInterval(timer)
  let parts = 0
  let before = incoming.socket.bytesRead
  const timer = setInterval(() => {
    if (incoming.complete) return end()
    const now = incoming.socket.bytesRead
    const slow = now - before < LEAST_BYTES
    before = now
    parts += 1
    if (!slow && parts * PART_MS < DEADLINE_MS) return undefined
    seen.reject(
      new ServiceError(
        'too-slow',
        slow
          ? `The body came too slowly: fewer than ${LEAST_BYTES} bytes in ${PART_MS / 1000} seconds.`
          : `The body did not come within ${DEADLINE_MS / 1000} seconds.`,
      ),
    )
    return end()
  }, PART_MS)
  return { seen: seen.promise, end }
}

/** Counts a body as it comes. Rejects once there is no room for more; what comes after that is let go of. */
function roomFor(incoming: IncomingMessage, progress: Progress | undefined): Promise<never> {
  const full = Promise.withResolvers<never>()
  const push = incoming.push.bind(incoming)
  let isFull = false
  incoming.push = (piece: Uint8Array | null, encoding) => {
    try {
      if (!isFull && piece) {
        progress?.needRoom()
        progress?.take(piece.length)
      }
    } catch (error) {
      isFull = true
      full.reject(error)
    }
    return isFull && piece ? true : push(piece, encoding)
  }
  return full.promise
}
