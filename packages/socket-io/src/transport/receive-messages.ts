import type { Socket } from 'socket.io'

import type { Json } from 'dragoman/events'
import { packetBytes } from './bounded-parser.ts'
import type { ConnectionLoad } from './connection-load.ts'

/** A message of a client, with its acknowledgement callback if it wants one. */
export type SocketMessage = {
  readonly name: string
  readonly payload: unknown
  readonly acknowledge?: (answer: Json) => void
}

export type HandleMessage = (message: SocketMessage) => Promise<void>

/** Handles a socket's messages in order, one at a time. Those that wait count for its user. */
export function receiveMessages(
  socket: Socket,
  handle: HandleMessage,
  {
    load,
    report,
  }: { readonly load: ConnectionLoad; readonly report: (error: unknown, where: string) => void },
): void {
  let last = Promise.resolve()
  socket.use((event) => {
    // A client may send a number as the name.
    const [name, ...args]: readonly unknown[] = event
    const acknowledge = args.at(-1)
    const release = load.countMessage(packetBytes(event))
    if (socket.disconnected) return release()
    const message = {
      name: String(name),
      payload: isCallback(args[0]) ? undefined : args[0],
      ...(isCallback(acknowledge) && { acknowledge }),
    }
    last = last
      .then(() => handle(message))
      .catch((error: unknown) => report(error, 'socket.io'))
      .finally(release)
    return undefined
  })
}

function isCallback(value: unknown): value is (answer: Json) => void {
  return typeof value === 'function'
}
