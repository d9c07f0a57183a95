import type { Socket } from 'socket.io'

import type { Json } from 'dragoman/events'

/** What a client has sent: an event's name and what it says, and how it wants to be told that it was taken, if it does. */
export type Heard = {
  readonly name: string
  readonly said: unknown
  readonly acknowledge?: (answer: Json) => void
}

export type Take = (heard: Heard) => Promise<void>

/** Things that wait to be taken, at most: nobody who means well sends more at once. */
const MOST_WAITING = 1000

/** Takes what a socket says in its order, one after the other. */
export function inbox(socket: Socket, take: Take, report: (error: unknown, where: string) => void): void {
  let waiting = 0
  let last = Promise.resolve()
  socket.onAny((name: string, ...said: unknown[]) => {
    waiting += 1
    if (waiting > MOST_WAITING) return void socket.disconnect(true)
    const acknowledge = said.at(-1)
    const heard = {
      name,
      said: said[0],
      ...(isAcknowledge(acknowledge) && { acknowledge }),
    }
    last = last
      .then(() => take(heard))
      .catch((error: unknown) => report(error, 'socket.io'))
      .finally(() => {
        waiting -= 1
      })
    return undefined
  })
}

function isAcknowledge(value: unknown): value is (answer: Json) => void {
  return typeof value === 'function'
}
