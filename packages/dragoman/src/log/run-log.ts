import { ServiceError } from '../errors.ts'
import { isTerminal, type LogEntry, type Run, type RunEvent } from '../events/index.ts'
import { createRunAnnouncer } from './announce-run.ts'
import { createFollowerInbox } from './follower-inbox.ts'
import type { Notifier, OnNews } from './notifier.ts'
import { noteActivity } from './sleep.ts'
import { FIRST_SEQ, type AppendCondition, type Store } from './store.ts'
import type { UserChanges } from './user-changes.ts'

const PAGE_LIMIT = 500
const ALL = Number.MAX_SAFE_INTEGER
/** Deltas wait at most this long for their neighbours. */
const GROUP_COMMIT_MS = 5

/** The logs of all runs: append to one, or follow it. */
export interface RunLog {
  append(runId: string, events: readonly RunEvent[], as?: AppendCondition): Promise<LogEntry[]>
  /** Tells the user of a run that it was admitted. */
  announceStart(run: Run): void
  /** Has all followers of a run read its log again, which fails where the run was removed. */
  wake(runId: string): void
  /** Tells all processes that there are runs which they may continue. */
  announceFreeRuns(): void
  /** Calls `act` after each such announcement, for one who looks by himself too. Gives the way to end it. */
  onFreeRuns(act: () => void): Promise<() => Promise<void>>
  /** Calls back within 5 ms, at a moment that all runs share: what they append then is committed as one group. */
  onGroupCommit(act: () => void): void
  /**
   * The entries after a place, in batches, as they come. Ends after the terminal entry, or once `signal` aborts. An
   * empty log is waited for. @throws ServiceError `unavailable` if a failover has lost what it gave
   */
  follow(runId: string, after: number, signal: AbortSignal): AsyncGenerator<readonly LogEntry[], void>
  /** What users do to a run after a place in its log, as it comes, until `signal` aborts. */
  followExternal(runId: string, after: number, signal: AbortSignal): AsyncGenerator<ExternalEntry, void>
}

/**
 * What a user does to a run that goes on, by whichever process; and each change of the shared state, for they count
 * in their order.
 */
export type ExternalEvent = Extract<
  RunEvent,
  { type: 'run.stop-requested' | 'tool.answered' | 'user.joined' | 'state.changed' }
>
export type ExternalEntry = { readonly seq: number; readonly event: ExternalEvent }

/** Not the id of a run. */
const FREE_RUNS_TOPIC = 'free-runs'

/** The topic of such events: who waits for them is not woken by every token. */
const externalTopic = (runId: string): string => `${runId}/outside`

/** The log tells `changes` of what the users of runs want to know. */
export function runLog(store: Store, notifier: Notifier, changes?: UserChanges): RunLog {
  const announcer = changes && createRunAnnouncer(store, changes)
  return {
    announceStart: (run) => announcer?.onStart(run),
    onGroupCommit: groupCommits(),
    wake: (runId) => notifier.notify(runId),
    announceFreeRuns: () => notifier.notify(FREE_RUNS_TOPIC),
    onFreeRuns: (act) => notifier.listen(FREE_RUNS_TOPIC, act, { patient: true }),
    async append(runId, events, as) {
      noteActivity()
      const entries = await store.append(runId, events, as)
      notifier.notify(runId, entries)
      if (events.some(isExternal)) notifier.notify(externalTopic(runId))
      announcer?.onAppend(runId, events)
      return entries
    },

    async *follow(runId, after, signal) {
      const news = createFollowerInbox(signal, notifier.pollIntervalMs)
      const onNews: OnNews = (entries) => (entries ? news.give(entries) : news.notify())
      const unlisten = await notifier.listen(runId, onNews)
      try {
        let last: LogEntry | undefined
        while (!signal.aborted) {
          const buffered = news.take(last?.seq ?? after)
          const entries = buffered === 'read' ? await readOn(store, runId, last ?? after) : buffered
          if (buffered === 'read' && entries.length === PAGE_LIMIT) news.notify()
          const latest = entries.at(-1)
          if (!latest) {
            await news.ready()
            continue
          }
          last = latest
          yield entries
          if (isTerminal(latest.event)) return
        }
      } finally {
        news.close()
        await unlisten()
      }
    },

    async *followExternal(runId, after, signal) {
      const news = createFollowerInbox(signal, notifier.pollIntervalMs)
      const unlisten = await notifier.listen(externalTopic(runId), () => news.notify())
      try {
        for (let last = Math.max(after, FIRST_SEQ); !signal.aborted; await news.ready()) {
          if (news.take(last) !== 'read') continue
          const entries = await store.read(runId, last, { structure: true, limit: ALL })
          last = entries.at(-1)?.seq ?? last
          yield* externalEntries(entries)
        }
      } finally {
        news.close()
        await unlisten()
      }
    },
  }
}

/** The entries after a place, or after an entry that was read, which must still be there. A run has its first one. */
async function readOn(store: Store, runId: string, last: number | LogEntry): Promise<readonly LogEntry[]> {
  const after = typeof last === 'number' ? last : last.seq
  if (typeof last === 'number' || after === FIRST_SEQ) return store.read(runId, after, { limit: PAGE_LIMIT })
  const [same, ...entries] = await store.read(runId, last.seq - 1, { limit: PAGE_LIMIT + 1 })
  if (same?.at === last.at && same.event.type === last.event.type) return entries
  throw new ServiceError('unavailable', `Entries of run ${runId} that were shown are gone from the database.`)
}

export function externalEntries(entries: readonly LogEntry[]): ExternalEntry[] {
  return entries.flatMap(({ seq, event }) => (isExternal(event) ? [{ seq, event }] : []))
}

const EXTERNAL: ReadonlySet<RunEvent['type']> = new Set<ExternalEvent['type']>([
  'run.stop-requested',
  'tool.answered',
  'user.joined',
  'state.changed',
])

function isExternal(event: RunEvent): event is ExternalEvent {
  return EXTERNAL.has(event.type)
}

function groupCommits(): RunLog['onGroupCommit'] {
  let waiting: (() => void)[] = []
  const commit = (): void => {
    const acts = waiting
    waiting = []
    for (const act of acts) act()
  }
  return (act) => {
    if (waiting.push(act) === 1) setTimeout(commit, GROUP_COMMIT_MS)
  }
}
