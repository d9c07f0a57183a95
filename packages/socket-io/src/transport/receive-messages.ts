import type { Socket } from 'socket.io'

import type { Json } from 'dragoman/events'

/** A message of a client, with its acknowledgement callback if it wants one. */
export type SocketMessage = {
  readonly name: string
  readonly payload: unknown
  readonly acknowledge?: (answer: Json) => void
}

export type HandleMessage = (message: SocketMessage) => Promise<void>

/** Maximum number of waiting messages. No legitimate client sends more at once. */
const MAX_WAITING_MESSAGES = 1000

/** Handles a socket's messages in order, one at a time. */
export function receiveMessages(
  socket: Socket,
  handle: HandleMessage,
  report: (error: unknown, where: string) => void,
): void {
  let waiting = 0
  let last = Promise.resolve()
  socket.onAny((name: string, ...args: unknown[]) => {
    waiting += 1
    if (waiting > MAX_WAITING_MESSAGES) return void socket.disconnect(true)
    const acknowledge = args.at(-1)
    const message = {
      name,
      payload: args[0],
      ...(isCallback(acknowledge) && { acknowledge }),
    }
    last = last
      .then(() => handle(message))
      .catch((error: unknown) => report(error, 'socket.io'))
      .finally(() => {
        waiting -= 1
      })
    return undefined
  })
}

function isCallback(value: unknown): value is (answer: Json) => void {
  return typeof value === 'function'
}
