import { setImmediate as nextTurn } from 'node:timers/promises'

import type { LogEntry } from 'dragoman/events'

/** A topic, and the entries that were appended to it, if they fit. */
export type Notice = readonly [topic: string, entries?: readonly LogEntry[]]

/** The oldest half of more notices is dropped. */
const MAX_WAITING = 10_000

/** Notices on their way to other nodes. */
export interface Outbox {
  add(notice: Notice): void
  /** Resolves when nothing waits any more. */
  flush(): Promise<void>
}

/**
 * Sends the notices of one turn of the event loop together. Those that come while some are under way wait for the
 * next batch. `onDrop` gets those that were not sent.
 */
export function createOutbox(
  send: (notices: readonly Notice[]) => Promise<unknown>,
  onDrop: (notices: readonly Notice[]) => void = () => undefined,
): Outbox {
  let waiting: Notice[] = []
  let sending: Promise<void> | undefined
  const sendAll = async (): Promise<void> => {
    await nextTurn()
    while (waiting.length > 0) {
      const notices = waiting
      waiting = []
      await send(notices).catch(() => onDrop(notices))
    }
    sending = undefined
  }
  return {
    add(notice) {
      if (waiting.push(notice) > MAX_WAITING) onDrop(waiting.splice(0, MAX_WAITING / 2))
      sending ??= sendAll()
    },
    flush: () => sending ?? Promise.resolve(),
  }
}
