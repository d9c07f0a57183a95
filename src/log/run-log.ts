import { isTerminal, type LogEntry, type RunEvent } from '../events/index.ts'
import { inbox } from './inbox.ts'
import type { Notifier } from './notifier.ts'
import type { Condition, Store } from './store.ts'

const PAGE = 500
const ALL = Number.MAX_SAFE_INTEGER
/** Deltas wait at most this long for their neighbours, in ms. */
const BEAT_MS = 5

/** The logs of all runs: append to one, or follow it. */
export interface RunLog {
  append(runId: string, events: readonly RunEvent[], as?: Condition): Promise<LogEntry[]>
  /** Calls back within 5 ms, at a moment that all runs share: what they append then is committed as one. */
  atBeat(act: () => void): void
  /**
   * The entries after a place, in batches, as they come. Ends after the terminal entry, or once `signal` aborts. An empty log is
   * waited for.
   */
  follow(runId: string, after: number, signal: AbortSignal): AsyncGenerator<readonly LogEntry[], void>
  /** Who asks for a run's end, once somebody does; nobody, once `signal` aborts. */
  stopped(runId: string, signal: AbortSignal): Promise<{ readonly by: string } | undefined>
}

/** The topic of those who wait for a stop: they are not woken by every token. */
const stopOf = (runId: string): string => `${runId}/stop`

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
      if (events.some(isStop)) notifier.notify(stopOf(runId))
      return entries
    },

    async *follow(runId, after, signal) {
      const news = inbox(signal)
      const onNews = (): void => (handed ? news.give(handed) : news.tell())
      const unlisten = await notifier.listen(runId, onNews)
      try {
        let last = after
        while (!signal.aborted) {
          const given = news.take(last)
          const entries = given === 'look' ? await store.read(runId, last, { limit: PAGE }) : given
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

    async stopped(runId, signal) {
      const news = inbox(signal)
      const unlisten = await notifier.listen(stopOf(runId), news.tell)
      try {
        for (let last = 0; !signal.aborted; await news.come()) {
          if (news.take(last) !== 'look') continue
          const entries = await store.read(runId, last, { structure: true, limit: ALL })
          const stop = entries.map(({ event }) => event).find(isStop)
          if (stop) return stop
          last = entries.at(-1)?.seq ?? last
        }
        return undefined
      } finally {
        news.end()
        await unlisten()
      }
    },
  }
}

type Stop = Extract<RunEvent, { type: 'run.stop-requested' }>

function isStop(event: RunEvent): event is Stop {
  return event.type === 'run.stop-requested'
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
