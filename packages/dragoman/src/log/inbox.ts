import type { LogEntry } from '../events/index.ts'

/** Entries kept for a follower who is slow; one who is slower looks them up. */
const MOST = 1000
/**
 * A follower looks at its log again after so long without news, in ms: a notification may be lost, and a run may have
 * been removed.
 */
const LOOK_AGAIN_MS = 15_000

/** What a follower has not seen: entries that were handed over, or word that there are some. */
export interface Inbox {
  /** Says that there may be more. */
  tell(): void
  /** Hands over what has just been appended here. */
  give(entries: readonly LogEntry[]): void
  /** The entries just after a place, where they were handed over without a gap; `look` where the log has to be asked. */
  take(after: number): readonly LogEntry[] | 'look'
  /** Resolves when there is something to take. */
  come(): Promise<void>
  end(): void
}

/** It begins with a look, and `signal` wakes whoever waits. */
export function inbox(signal: AbortSignal): Inbox {
  let given: LogEntry[] = []
  let mustLook = true
  let wake: PromiseWithResolvers<void> | undefined
  const woken = (): void => {
    wake?.resolve()
    wake = undefined
  }
  const tell = (): void => {
    mustLook = true
    woken()
  }
  signal.addEventListener('abort', woken)
  const again = setInterval(tell, LOOK_AGAIN_MS)
  again.unref()
  return {
    tell,
    give(entries) {
      given.push(...entries)
      if (given.length > MOST) {
        given = []
        mustLook = true
      }
      woken()
    },
    take(after) {
      const entries = given
      if (mustLook) {
        mustLook = false
        // What was handed over before may be read again: it is let go once it lies behind.
        return 'look'
      }
      given = []
      const isNext = (entry: LogEntry, index: number): boolean => entry.seq === after + 1 + index
      const fresh = entries.filter(({ seq }) => seq > after)
      return fresh.every(isNext) ? fresh : 'look'
    },
    come() {
      if (mustLook || given.length > 0 || signal.aborted) return Promise.resolve()
      wake ??= Promise.withResolvers()
      return wake.promise
    },
    end() {
      clearInterval(again)
      signal.removeEventListener('abort', woken)
    },
  }
}
