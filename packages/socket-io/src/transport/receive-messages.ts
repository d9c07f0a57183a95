import type { Socket } from 'socket.io'

import type { Json } from 'dragoman/events'

/** What a client has sent: an event's name and what it says, and how it wants to be told that it was taken, if it does. */
export type SocketMessage = {
  readonly name: string
  readonly payload: unknown
  readonly acknowledge?: (answer: Json) => void
}

export type HandleMessage = (message: SocketMessage) => Promise<void>

/** Things that wait to be taken, at most: nobody who means well sends more at once. */
const MAX_WAITING_MESSAGES = 1000

/** Takes what a socket says in its order, one after the other. */
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
