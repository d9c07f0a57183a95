import type { LogEntry } from '../events/index.ts'
import { lengthLeft } from './text-length.ts'

/** Entries that are held for a slow follower; a follower that is slower reads the log. */
const MAX_HELD_ENTRIES = 1000
/** The same for the characters of their texts. */
const MAX_HELD_LENGTH = 256 * 1024
/**
 * A follower reads its log again after so long without news: a notification may be lost, and a run may have been
 * removed.
 */
const REREAD_INTERVAL_MS = 15_000

/** What a follower has not seen: entries that were handed over, or the news that there are some. */
export interface FollowerInbox {
  /** Says that there may be more entries. */
  notify(): void
  /** Hands over what has just been appended in this process. */
  give(entries: readonly LogEntry[]): void
  /** The entries just after a place, if they were handed over without a gap; `read` if the log must be read. */
  take(after: number): readonly LogEntry[] | 'read'
  /** Resolves when there is something to take. */
  ready(): Promise<void>
  close(): void
}

/** It begins with a read. The abort of `signal` ends a wait. */
export function createFollowerInbox(
  signal: AbortSignal,
  rereadIntervalMs: number = REREAD_INTERVAL_MS,
): FollowerInbox {
  let held: LogEntry[] = []
  let room = MAX_HELD_LENGTH
  let mustRead = true
  let waiting: PromiseWithResolvers<void> | undefined
  const wake = (): void => {
    waiting?.resolve()
    waiting = undefined
  }
  const notify = (): void => {
    mustRead = true
    wake()
  }
  const empty = (): readonly LogEntry[] => {
    const entries = held
    held = []
    room = MAX_HELD_LENGTH
    return entries
  }
  signal.addEventListener('abort', wake)
  const timer = setInterval(notify, rereadIntervalMs)
  timer.unref()
  return {
    notify,
    give(entries) {
      timer.refresh()
      held.push(...entries)
      room = lengthLeft(entries, room)
      if (held.length > MAX_HELD_ENTRIES || room < 0) {
        empty()
        mustRead = true
      }
      wake()
    },
    take(after) {
      if (mustRead) {
        mustRead = false
        // The read may return entries that are held: they are dropped once they lie behind.
        return 'read'
      }
      const entries = empty()
      const isNext = (entry: LogEntry, index: number): boolean => entry.seq === after + 1 + index
      const fresh = entries.filter(({ seq }) => seq > after)
      return fresh.every(isNext) ? fresh : 'read'
    },
    ready() {
      if (mustRead || held.length > 0 || signal.aborted) return Promise.resolve()
      waiting ??= Promise.withResolvers()
      return waiting.promise
    },
    close() {
      clearInterval(timer)
      signal.removeEventListener('abort', wake)
    },
  }
}
