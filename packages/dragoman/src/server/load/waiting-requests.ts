import type { Duplex } from 'node:stream'

import { connectionStates, type ConnectionState } from './connection-state.ts'

/** While a connection closes, errors have no stacks. */
let { stackTraceLimit } = Error

/** Node resumes reading after each response and while it reads a body. */
function pauseIfWaiting(this: Duplex): void {
  if (connectionStates.get(this)?.waiting) this.pause()
}

/** Reads no more of a connection. */
export function beginWaiting(socket: Duplex): void {
  socket.on('resume', pauseIfWaiting)
  // Node resumes reading once it has passed on this request.
  process.nextTick(pauseIfWaiting.bind(socket))
  socket.prependListener('close', omitStacks)
}

/** Node makes an error for each request of a closed connection. With stacks, a thousand take 20 ms. */
function omitStacks(): void {
  stackTraceLimit = Error.stackTraceLimit
  Error.stackTraceLimit = 0
}

export function endWaiting(state: ConnectionState, socket: Duplex): void {
  state.waiting?.hold.release()
  delete state.waiting
  socket.off('resume', pauseIfWaiting)
  socket.off('close', omitStacks)
  socket.resume()
}

/** Call it once a connection has closed. */
export function restoreStacks(): void {
  Error.stackTraceLimit = stackTraceLimit
}
