import { isServiceError } from '../../errors.ts'
import type { LogEntry, Run, RunEvent, RunSummary } from '../../events/index.ts'
import { hasLongTexts, type Notifier, type Store } from '../../log/index.ts'
import { fairQueue } from '../../async/index.ts'
import { memoryNotifier } from '../memory/index.ts'
import { startStoreWorker, type StoreWorker } from './store-worker.ts'

/** The file is watched for so long after the last listener has left, in ms: the next one is not far. */
const LINGER_MS = 1000
/** Rows that are written without a run make the write-ahead log longer too: its size is checked so often, in ms. */
const SIZE_CHECK_MS = 250
/** What has more characters of text is large. */
const MAX_SMALL_LENGTH = 256 * 1024

/**
 * Runs and their logs in an SQLite file, and the notices that go with it. The connection lives on a thread of
 * its own. What another process wrote is noticed within 20 ms, while somebody listens.
 */
export function openSqlite(file: string): SqliteStorage {
  const thread = startStoreWorker(file)
  let damagedReads = 0
  const store = sqliteStore(thread)
  return {
    store: {
      ...store,
      read: (...args) =>
        store.read(...args).catch((error: unknown) => {
          if (isServiceError(error, 'damaged')) damagedReads += 1
          throw error
        }),
    },
    notifier: sqliteNotifier(thread),
    damagedReads: () => damagedReads,
    checkSizeSoon: sizeCheck(thread),
  }
}

export type SqliteStorage = {
  readonly store: Store
  readonly notifier: Notifier
  /** How many reads have met an entry that differs from what was written. */
  readonly damagedReads: () => number
  /** Call it when another connection writes to the file. */
  readonly checkSizeSoon: () => void
}

/**
 * What is large is written one at a time, by users and runs in turn, and the thread has as long for others: a small
 * request never waits for several large ones, nor a connection of this file for one transaction that has them all.
 */
function sqliteStore(thread: StoreWorker): Store {
  const large = fairQueue({ rest: 1 })
  const write = <T>(owner: string, values: unknown, work: () => Promise<T>): Promise<T> =>
    hasLongTexts(values, MAX_SMALL_LENGTH) ? large.run(owner, work) : work()
  const ask = <T>(deed: Parameters<StoreWorker['ask']>[0], ...args: readonly unknown[]): Promise<T> =>
    thread.ask(deed, ...args) as Promise<T>
  return {
    async create(run, ...how) {
      const create = () => ask<{ known: Run } | { state: RunSummary }>('create', run, ...how)
      const result = await write(run.userId, run.request, create)
      if ('known' in result) return { run: result.known, created: false }
      const { aliases: _, ...admitted } = run
      return { run: { ...admitted, ...result.state }, created: true }
    },
    get: (runId) => ask('get', runId),
    find: (userId, key) => ask('find', userId, key),
    list: (threadId, page) => ask('list', threadId, page),
    summaries: (runIds) => ask('summaries', runIds),
    claimable: (owner, which) => ask('claimable', owner, which),
    claim: (runId, owner) => ask('claim', runId, owner),
    claims: (runId) => ask('claims', runId),
    release: (runId, epoch) => ask('release', runId, epoch),
    alive: (owner, forMs) => ask('alive', owner, forMs),
    async append(runId, events, as) {
      const append = () => ask<{ seq: number; at: number }>('append', runId, events, as)
      const { seq, at } = await write(runId, events, append)
      return events.map((event: RunEvent, index): LogEntry => ({ seq: seq + index, at, event }))
    },
    read: (runId, after, what) => ask('read', runId, after, what),
    changed: (...args) => ask('changed', ...args),
    ping: () => ask('ping'),
    pack: (before) => ask('pack', before),
    prune: (...args) => ask('prune', ...args),
    backlog: (before) => ask('backlog', before),
    discard: (before) => ask('discard', before),
    adopt: (from, to) => ask('adopt', from, to),
    remove: (threadId) => ask('remove', threadId),
    async [Symbol.asyncDispose]() {
      await thread.close()
    },
  }
}

/**
 * Notices of this process are given at once; for those of others the log's thread watches the file while
 * somebody listens.
 */
function sqliteNotifier(thread: StoreWorker): Notifier {
  const near = memoryNotifier()
  const everybody = new Set<() => void>()
  let urgent = 0
  const { watch, linger } = watching(thread)
  thread.onForeign(() => {
    for (const onNews of everybody) onNews()
  })
  return {
    notify: near.notify,
    async listen(topic, onNews, { patient = false } = {}) {
      everybody.add(onNews)
      if (!patient) {
        urgent += 1
        watch()
      }
      const unlisten = await near.listen(topic, onNews)
      return async () => {
        await unlisten()
        everybody.delete(onNews)
        if (!patient && --urgent === 0) linger()
      }
    },
    async [Symbol.asyncDispose]() {
      everybody.clear()
    },
  }
}

function sizeCheck(thread: StoreWorker): () => void {
  let timer: NodeJS.Timeout | undefined
  const check = (): void => {
    timer = undefined
    // A closed thread has closed its file.
    thread.ask('check-size').catch(() => undefined)
  }
  return () => {
    timer ??= setTimeout(check, SIZE_CHECK_MS).unref()
  }
}

/** Makes the thread watch its file, until some time after the last listener has left. */
function watching(thread: StoreWorker): { watch(): void; linger(): void } {
  let watched = false
  let timer: NodeJS.Timeout | undefined
  const set = (on: boolean): void => {
    watched = on
    // A closed thread has nothing to watch. Readers get its error.
    thread.ask('watch', on).catch(() => undefined)
  }
  return {
    watch() {
      clearTimeout(timer)
      if (!watched) set(true)
    },
    linger() {
      timer = setTimeout(() => set(false), LINGER_MS)
      timer.unref()
    },
  }
}
