import type { Duplex } from 'node:stream'

import { payerOf } from './connection-load.ts'
import type { Outgoing } from './connection-state.ts'

/** A reader must take this much in the stall timeout, and a twelfth of it in a twelfth if others wait for room. */
const MIN_BYTES_PER_TIMEOUT = 12 * 1024
const INTERVALS = 12

/**
 * Cuts a connection that takes too little of an answer while something of it is unsent. If large answers of its user
 * have no room, that is decided in a twelfth of the time. Returns a function that stops this.
 */
export function cutIfStalled(outgoing: Outgoing, timeoutMs: number): () => void {
  const { socket } = outgoing.req
  const share = payerOf(outgoing)
  let bytes = bytesTaken(socket)
  let intervals = 0
  const timer = setInterval(() => {
    if (socket.destroyed) return clearInterval(timer)
    // A response that is queued behind others cannot be taken yet.
    if (!outgoing.socket) return
    intervals += 1
    if (intervals < INTERVALS && (share?.hasRoom('bytesUnsent', 'large') ?? true)) return
    const now = bytesTaken(socket)
    if (now - bytes < (MIN_BYTES_PER_TIMEOUT / INTERVALS) * intervals) socket.destroy()
    bytes = now
    intervals = 0
  }, timeoutMs / INTERVALS)
  return () => clearInterval(timer)
}

/** Bytes that the system has accepted. `bytesWritten` has also what waits in Node for the system. */
function bytesTaken(socket: Duplex): number {
  const { bytesWritten = 0, _handle: handle } = socket as {
    readonly bytesWritten?: number
    /** Not public. Without it, a large write is seen only when all of it has been taken. */
    readonly _handle?: { readonly writeQueueSize?: number } | null
  }
  return bytesWritten - (handle?.writeQueueSize ?? 0)
}
