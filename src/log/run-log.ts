import { isStructure, isTerminal, type LogEntry, type RunEvent } from '../events/index.ts'
import { inbox } from './inbox.ts'
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
  /** What the notice that is being given here is about: whoever hears it in this process need not look it up. */
  let handed: readonly LogEntry[] | undefined
  return {
    atBeat: beats(),
    async append(runId, events, as) {
      const entries = await store.append(runId, events, as)
      handed = entries
      notifier.notify(runId)
      handed = undefined
      if (events.some(isStructure)) notifier.notify(structureOf(runId))
      return entries
    },

    async *follow(runId, after, signal, what) {
      const news = inbox(signal)
      const onNews = (): void => (handed ? news.give(handed) : news.tell())
      const unlisten = await notifier.listen(what?.structure ? structureOf(runId) : runId, onNews)
      try {
        let last = after
        while (!signal.aborted) {
          const given = news.take(last)
          const entries = given === 'look' ? await store.read(runId, last, { limit: PAGE, ...what }) : given
          if (given === 'look' && entries.length === PAGE) news.tell()
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

function beats(): RunLog['atBeat'] {
  let waiting: (() => void)[] = []
  const beat = (): void => {
    const acts = waiting
    waiting = []
    for (const act of acts) act()
  }
  return (act) => {
    if (waiting.push(act) === 1) setTimeout(beat, BEAT_MS)
  }
}
