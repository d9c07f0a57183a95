import type { LogEntry, Run, RunEvent } from '../../events/index.ts'
import type { Notifier, Store } from '../../log/index.ts'
import { memoryNotifier } from '../memory/index.ts'
import { logThread, type LogThread } from './log-thread.ts'
import { recentEntries } from './recent-entries.ts'

/**
 * Runs and their logs in an SQLite file, and the notices that go with it. The connection lives on a thread of its own. What another
 * process wrote is noticed within 20 ms, while somebody listens.
 */
export function openSqlite(file: string): { store: Store; notifier: Notifier } {
  const thread = logThread(file)
  const recent = recentEntries()
  return { store: sqliteStore(thread, recent), notifier: sqliteNotifier(thread, recent) }
}

type Recent = ReturnType<typeof recentEntries>

function sqliteStore(thread: LogThread, recent: Recent): Store {
  const ask = <T>(deed: Parameters<LogThread['ask']>[0], ...args: readonly unknown[]): Promise<T> =>
    thread.ask(deed, ...args) as Promise<T>
  return {
    create: (run, whenBusy) => ask<{ run: Run; created: boolean }>('create', run, whenBusy),
    get: (runId) => ask('get', runId),
    find: (userId, key) => ask('find', userId, key),
    list: (threadId, page) => ask('list', threadId, page),
    claimable: (owner) => ask('claimable', owner),
    claim: (runId, owner) => ask('claim', runId, owner),
    alive: (owner, forMs) => ask('alive', owner, forMs),
    async append(runId, events, as) {
      const { seq, at } = await ask<{ seq: number; at: number }>('append', runId, events, as).catch(
        (error: unknown) => {
          // A refusal is news of somebody else: what we remember may be older.
          recent.clear()
          throw error
        },
      )
      const entries = events.map((event: RunEvent, index): LogEntry => ({ seq: seq + index, at, event }))
      recent.add(runId, entries)
      return entries
    },
    async read(runId, after, what) {
      return recent.read(runId, after, what) ?? ask<LogEntry[]>('read', runId, after, what)
    },
    changed: (after, limit) => ask('changed', after, limit),
    async remove(threadId) {
      await ask('remove', threadId)
      recent.clear()
    },
    async [Symbol.asyncDispose]() {
      await thread.close()
    },
  }
}

/** Notices of this process are given at once; for those of others the log's thread watches the file while somebody listens. */
function sqliteNotifier(thread: LogThread, recent: Recent): Notifier {
  const near = memoryNotifier()
  const everybody = new Set<() => void>()
  thread.onForeign(() => {
    recent.clear()
    for (const onNews of everybody) onNews()
  })
  return {
    notify: (topic) => near.notify(topic),
    async listen(topic, onNews) {
      const first = everybody.size === 0
      everybody.add(onNews)
      const unlisten = await near.listen(topic, onNews)
      // What we remember is believed once the file is watched; until then the log itself is asked.
      const watched = (): void => recent.trust(everybody.size > 0)
      // On a thread that has closed there is nothing to watch: whoever reads hears why.
      if (first) void thread.ask('watch', true).then(watched, () => undefined)
      return async () => {
        await unlisten()
        everybody.delete(onNews)
        if (everybody.size > 0) return
        recent.trust(false)
        if (!thread.closed) await thread.ask('watch', false)
      }
    },
    async [Symbol.asyncDispose]() {
      everybody.clear()
    },
  }
}
