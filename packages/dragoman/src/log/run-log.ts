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
  /** Has all followers of a run read its log again, which fails where the run was removed. */
  wake(runId: string): void
  /** Calls back within 5 ms, at a moment that all runs share: what they append then is committed as one. */
  atBeat(act: () => void): void
  /**
   * The entries after a place, in batches, as they come. Ends after the terminal entry, or once `signal` aborts. An empty log is
   * waited for.
   */
  follow(runId: string, after: number, signal: AbortSignal): AsyncGenerator<readonly LogEntry[], void>
  /** What others than its runner write into a run's log after a place, as it comes, until `signal` aborts. */
  fromOutside(runId: string, after: number, signal: AbortSignal): AsyncGenerator<OutsideEntry, void>
}

/** What a user does to a run that goes on, by whichever process; and each change of the shared state, for they count in their order. */
export type OutsideEvent = Extract<
  RunEvent,
  { type: 'run.stop-requested' | 'tool.answered' | 'user.joined' | 'state.changed' }
>
export type OutsideEntry = { readonly seq: number; readonly event: OutsideEvent }

/** The topic of those who wait for such events: they are not woken by every token. */
const outsideOf = (runId: string): string => `${runId}/outside`

export function runLog(store: Store, notifier: Notifier): RunLog {
  /** What the notice that is being given here is about: whoever hears it in this process need not look it up. */
  let handed: readonly LogEntry[] | undefined
  return {
    atBeat: beats(),
    wake: (runId) => notifier.notify(runId),
    async append(runId, events, as) {
      const entries = await store.append(runId, events, as)
      handed = entries
      notifier.notify(runId)
      handed = undefined
      if (events.some(isFromOutside)) notifier.notify(outsideOf(runId))
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

    async *fromOutside(runId, after, signal) {
      const news = inbox(signal)
      const unlisten = await notifier.listen(outsideOf(runId), news.tell)
      try {
        for (let last = after; !signal.aborted; await news.come()) {
          if (news.take(last) !== 'look') continue
          const entries = await store.read(runId, last, { structure: true, limit: ALL })
          last = entries.at(-1)?.seq ?? last
          yield* outsideIn(entries)
        }
      } finally {
        news.end()
        await unlisten()
      }
    },
  }
}

export function outsideIn(entries: readonly LogEntry[]): OutsideEntry[] {
  return entries.flatMap(({ seq, event }) => (isFromOutside(event) ? [{ seq, event }] : []))
}

const OUTSIDE: ReadonlySet<RunEvent['type']> = new Set<OutsideEvent['type']>([
  'run.stop-requested',
  'tool.answered',
  'user.joined',
  'state.changed',
])

function isFromOutside(event: RunEvent): event is OutsideEvent {
  return OUTSIDE.has(event.type)
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
