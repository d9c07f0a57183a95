import { setImmediate as nextTurn } from 'node:timers/promises'

import type { UserChanges } from '../../log/index.ts'
import { createWaiter, type Feed } from './feed.ts'

export type { UserChange, UserChanges } from '../../log/index.ts'

/** A reader that leaves more unread, and a time with more changes, are told `changed` in their place. */
const MAX_UNSENT = 20
const MAX_CHANGES = 100
/** Notices may be lost: so often, the reader is told to read again in any case. In ms. */
const REPEAT_MS = 60_000
/** Changes of so long are told together, and of a ms more for each stream: a write takes some µs of each. */
const MIN_PAUSE_MS = 50
/** Streams that are written to in one turn of the event loop. */
const STREAMS_PER_TURN = 64

const CHANGED_TEXT = JSON.stringify({ type: 'changed' })
const CHANGED = encode([CHANGED_TEXT])

export interface ChangeFeeds {
  /** What changes of a user's from now on, as server-sent events. The first one is `changed`. */
  open(userId: string): Promise<Feed>
}

/** The streams of a user hear together what changes, so that it is encoded once, and written when others have turns. */
export function createChangeFeeds(changes: UserChanges): ChangeFeeds {
  const hubs = new Map<string, Hub>()
  return {
    async open(userId) {
      const hub = hubs.get(userId) ?? createHub(changes, userId)
      hubs.set(userId, hub)
      const { feed, add } = createStream(() => {
        hub.streams.delete(add)
        if (hub.streams.size > 0) return
        if (hubs.get(userId) === hub) hubs.delete(userId)
        hub.end()
      })
      hub.streams.add(add)
      try {
        await hub.isListening
      } catch (error) {
        feed.close()
        throw error
      }
      add(CHANGED)
      return feed
    },
  }
}

type Hub = {
  readonly streams: Set<(bytes: Uint8Array) => void>
  readonly isListening: Promise<unknown>
  end(): void
}

function createHub(changes: UserChanges, userId: string): Hub {
  const streams: Hub['streams'] = new Set()
  const unsent = new Set<string>()
  let isTelling = false
  const tellAll = async (): Promise<void> => {
    while (unsent.size > 0) {
      await nextTurn()
      const bytes = unsent.size > MAX_CHANGES || unsent.has(CHANGED_TEXT) ? CHANGED : encode(unsent)
      unsent.clear()
      let count = 0
      for (const add of streams) {
        add(bytes)
        count += 1
        if (count % STREAMS_PER_TURN === 0) await nextTurn()
      }
      await new Promise<void>((resolve) => setTimeout(resolve, MIN_PAUSE_MS + streams.size).unref())
    }
    isTelling = false
  }
  const listening = changes.listen(userId, (change) => {
    const text = JSON.stringify(change)
    // At its latest place: of two states of a run, the last one is true.
    unsent.delete(text)
    if (unsent.size <= MAX_CHANGES) unsent.add(text)
    if (isTelling) return
    isTelling = true
    void tellAll()
  })
  return {
    streams,
    isListening: listening,
    end: () => void listening.then((end) => end()).catch(() => undefined),
  }
}

function createStream(leave: () => void): { readonly feed: Feed; add(bytes: Uint8Array): void } {
  let unsent: Uint8Array[] = []
  const { wait, tell } = createWaiter()
  const add = (bytes: Uint8Array): void => {
    if (unsent.at(-1) === CHANGED && bytes === CHANGED) return
    unsent = unsent.length >= MAX_UNSENT ? [CHANGED] : [...unsent, bytes]
    tell()
  }
  // Each at its own time: readers who are told so read all that they show.
  const timer = setInterval(add, REPEAT_MS, CHANGED)
  timer.unref()
  return {
    add,
    feed: {
      take: () => unsent.shift() ?? 'wait',
      whenMore: wait,
      close() {
        clearInterval(timer)
        leave()
      },
    },
  }
}

function encode(changes: Iterable<string>): Uint8Array {
  return new TextEncoder().encode(Array.from(changes, (change) => `data: ${change}\n\n`).join(''))
}
