import type { IncomingMessage } from 'node:http'

import { ServiceError } from '../../errors.ts'
import { paceConnection } from './connection-load.ts'
import type { RequestLoad } from './request-load.ts'

/** A body must arrive within the timeout, with a minimum of bytes in each interval. */
const BODY_TIMEOUT_MS = 30_000
const INTERVAL_MS = 5000
const MIN_BYTES_PER_INTERVAL = 1024
/** A piece of a body costs as much as so many bytes more. */
export const PIECE_BYTES = 1024
/** After so many pieces of a body, tiny ones are joined, and counted together up to so many bytes. */
const MANY_PIECES = 16
const STEP_BYTES = 64 * 1024

/**
 * Rejects if a body arrives too slowly, because it would hold a connection and its waiting code, or if there is no
 * memory for it. Returns undefined if there is no body to come. `end` stops watching.
 */
export function watchBody(
  incoming: IncomingMessage,
  request: Pick<RequestLoad, 'addBytes' | 'pace' | 'isUpload'>,
): { readonly refusal: Promise<never>; end(): void } | undefined {
  if (!isReceiving(incoming)) return undefined
  const { promise, reject } = Promise.withResolvers<never>()
  countBytes(incoming, request, reject)
  return { refusal: promise, end: watchPace(incoming, request, reject) }
}

/** Whether a part of the body is yet to come: https://www.rfc-editor.org/rfc/rfc9112#section-6.3 */
export function isReceiving({ complete, headers }: IncomingMessage): boolean {
  return (
    !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0)
  )
}

/** Refuses, if at all, before the body is complete. */
function watchPace(
  incoming: IncomingMessage,
  request: Pick<RequestLoad, 'isUpload'>,
  refuse: (error: ServiceError) => void,
): () => void {
  const end = (): void => clearInterval(timer)
  let intervals = 0
  let before = incoming.socket.bytesRead
  const timer = setInterval(() => {
    if (incoming.complete) return end()
    const now = incoming.socket.bytesRead
    const slow = now - before < MIN_BYTES_PER_INTERVAL
    before = now
    intervals += 1
    const isLate = !request.isUpload && intervals * INTERVAL_MS >= BODY_TIMEOUT_MS
    if (!slow && !isLate) return undefined
    refuse(
      new ServiceError(
        'too-slow',
        slow
          ? `The body came too slowly: fewer than ${MIN_BYTES_PER_INTERVAL} bytes in ${INTERVAL_MS / 1000} seconds.`
          : `The body did not come within ${BODY_TIMEOUT_MS / 1000} seconds.`,
      ),
    )
    return end()
  }, INTERVAL_MS)
  return end
}

/**
 * Joins tiny pieces of a body that come in one turn of the event loop, after some: each would take as long to be read
 * as a large one. Who pays for the connection pays for them. Call it before any of the body has come.
 */
export function joinPieces(incoming: IncomingMessage): void {
  const push = incoming.push.bind(incoming)
  let count = 0
  let pieces: Uint8Array[] = []
  let hasEnded = false
  const passOn = (): void => {
    const all = pieces
    pieces = []
    if (all.length === 0 || incoming.destroyed) return
    push(Buffer.concat(all))
    if (hasEnded) push(null)
  }
  const payThenPassOn = (): void => {
    const ms = paceConnection(incoming.socket, pieces.length * PIECE_BYTES)
    if (ms === 0) return passOn()
    // Nothing asks for more of the body before it has this.
    incoming.socket.pause()
    setTimeout(() => {
      passOn()
      incoming.socket.resume()
    }, ms)
  }
  incoming.push = (piece: Uint8Array | null, encoding) => {
    if (!piece) {
      hasEnded = true
      return pieces.length > 0 || push(null)
    }
    count += 1
    if (pieces.length === 0 && !isTiny(piece, count)) return push(piece, encoding)
    if (pieces.push(piece) === 1) setImmediate(payThenPassOn)
    return true
  }
}

function isTiny({ length }: Uint8Array, count: number): boolean {
  return count > MANY_PIECES && length < PIECE_BYTES
}

/**
 * Counts a body as it arrives, and reads it at the pace that its payer may have. Once there is no room for more, the
 * rest is discarded.
 */
function countBytes(
  incoming: IncomingMessage,
  request: Pick<RequestLoad, 'addBytes' | 'pace'>,
  refuse: (error: unknown) => void,
): void {
  const push = incoming.push.bind(incoming)
  let isFull = false
  let count = 0
  /** What has come since it was last counted. */
  let uncounted = 0
  /** What has come and waits, with the end of the body. */
  let waiting: (Uint8Array | null)[] = []
  const passOn = (): void => {
    const pieces = waiting
    waiting = []
    if (!incoming.destroyed) for (const piece of pieces) push(piece)
  }
  const wait = (piece: Uint8Array | null, ms: number): boolean => {
    if (waiting.push(piece) === 1) setTimeout(passOn, ms)
    // Node reads no more of the connection until more of the body is asked for.
    return false
  }
  incoming.push = (piece: Uint8Array | null, encoding) => {
    if (!piece) return waiting.length > 0 ? wait(null, 0) : push(null)
    if (isFull) return true
    count += 1
    uncounted += piece.length + PIECE_BYTES
    if (isTiny(piece, count) && uncounted < STEP_BYTES)
      return waiting.length > 0 ? wait(piece, 0) : push(piece, encoding)
    const ms = request.pace(uncounted)
    try {
      request.addBytes(uncounted)
    } catch (error) {
      isFull = true
      refuse(error)
      return true
    }
    uncounted = 0
    return waiting.length > 0 || ms > 0 ? wait(piece, ms) : push(piece, encoding)
  }
}
