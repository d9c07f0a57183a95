import type { IncomingMessage } from 'node:http'

import { paceConnection, PIECE_BYTES } from '../load/index.ts'

/** How long a refused body may go on. Within it, most clients have read their answer and stop. */
const DISCARD_MS = 2000
/** Bytes are counted in these steps. */
const STEP_BYTES = 64 * 1024

/**
 * Reads a body that no one reads any more, until it ends, its connection closes, or for two seconds. It reads nothing
 * faster than its payer may send.
 */
export async function discardRest(incoming: IncomingMessage): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, DISCARD_MS)
  let uncounted = 0
  let isOver = false
  incoming.once('close', resolve)
  // What has paused at the parts it has not read would not go on.
  incoming.push = (piece: Uint8Array | null) => {
    uncounted += piece === null ? 0 : piece.length + PIECE_BYTES
    if (piece && (isOver || uncounted < STEP_BYTES)) return true
    isOver = piece === null || paceConnection(incoming.socket, uncounted) > 0
    uncounted = 0
    if (!isOver) return true
    if (piece) incoming.socket.pause()
    resolve()
    return false
  }
  incoming.socket.resume()
  await promise
  clearTimeout(timer)
}
