import { isStructure, isTerminal, type LogEntry, type RunEvent } from '../events/index.ts'
import type { Notifier } from './notifier.ts'
import type { Condition, Store } from './store.ts'

const PAGE = 500
/** Deltas wait at most this long for their neighbours, in ms. */
const BEAT_MS = 5

/** The logs of all runs: append to one, or follow it. */
export interface RunLog {
  append(runId: string, events: readonly RunEvent[], as?: Condition): Promise<LogEntry[]>
  /** Calls back within 5 ms, at a moment that all runs share: what they append then is committed as one. */
  atBeat(act: () => void): void
  /**
   * The entries after a place, in batches, as they come. Ends after the terminal entry, or once `signal` aborts. An empty log is
   * waited for. `structure`: only the entries that `isStructure` names, and no news of the others.
   */
  follow(
    runId: string,
    after: number,
    signal: AbortSignal,
    what?: { structure?: true },
  ): AsyncGenerator<readonly LogEntry[], void>
}

/** The topic of those who heed only structure: they are not woken for every token. */
const structureOf = (runId: string): string => `${runId}/structure`

export function runLog(store: Store, notifier: Notifier): RunLog {
  let waiting: (() => void)[] = []
  const beat = (): void => {
    const acts = waiting
    waiting = []
    for (const act of acts) act()
  }
  return {
    atBeat(act) {
      if (waiting.push(act) === 1) setTimeout(beat, BEAT_MS)
    },
    async append(runId, events, as) {
      const entries = await store.append(runId, events, as)
      notifier.notify(runId)
      if (events.some(isStructure)) notifier.notify(structureOf(runId))
      return entries
    },

    async *follow(runId, after, signal, what) {
      const news = newsOf(signal)
      const unlisten = await notifier.listen(what?.structure ? structureOf(runId) : runId, news.tell)
      try {
        let last = after
        while (!signal.aborted) {
          news.forget()
          const entries = await store.read(runId, last, { limit: PAGE, ...what })
          const latest = entries.at(-1)
          if (!latest) {
            await news.come()
            continue
          }
          last = latest.seq
          yield entries
          if (isTerminal(latest.event)) return
        }
      } finally {
        news.end()
        await unlisten()
      }
    },
  }
}

/** One bit of memory: whether something came since we last looked. */
function newsOf(signal: AbortSignal): { tell(): void; forget(): void; come(): Promise<void>; end(): void } {
  let fresh = false
  let wake = Promise.withResolvers<void>()
  const tell = (): void => {
    fresh = true
    wake.resolve()
  }
  signal.addEventListener('abort', tell)
  return {
    tell,
    forget: () => {
      if (fresh) wake = Promise.withResolvers<void>()
      fresh = false
    },
    come: () => wake.promise,
    end: () => signal.removeEventListener('abort', tell),
  }
}
