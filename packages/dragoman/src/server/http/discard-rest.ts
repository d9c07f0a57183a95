import type { IncomingMessage } from 'node:http'

/** How long a refused body may go on. Within it, most clients have read their answer and stop. */
const DISCARD_MS = 2000

/** Reads a body that no one reads any more, until it ends, its connection closes, or for two seconds. */
export async function discardRest(incoming: IncomingMessage): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, DISCARD_MS)
  incoming.once('close', resolve)
  // What has paused at the parts it has not read would not go on.
  incoming.push = (piece: Uint8Array | null) => {
    if (piece === null) resolve()
    return true
  }
  incoming.socket.resume()
  await promise
  clearTimeout(timer)
}
