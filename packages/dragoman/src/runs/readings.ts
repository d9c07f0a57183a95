import {
  emptyMessage,
  fold,
  pausesAfter,
  waitingCalls,
  type AssistantMessage,
  type LogEntry,
  type Run,
} from '../events/index.ts'
import type { RunLog, Store } from '../log/index.ts'

const ALL = Number.MAX_SAFE_INTEGER

/** What a run's log comes to. */
export interface Readings {
  /** What a run has said once it has ended, or waits (for what is still unanswered), or when `signal` aborts. */
  whole(run: Run, signal: AbortSignal): Promise<AssistantMessage>
  /** What a run has said so far. */
  soFar(run: Run): Promise<AssistantMessage>
  /** The entries that say how a run's message is built. */
  structure(run: Run): Promise<LogEntry[]>
}

export function readings({ store, log }: { readonly store: Store; readonly log: RunLog }): Readings {
  return {
    structure: (run) => store.read(run.id, 0, { structure: true, limit: ALL }),
    async whole(run, signal) {
      let message = emptyMessage(run.messageId)
      let waiting: readonly string[] = []
      for await (const entries of log.follow(run.id, 0, signal)) {
        for (const { event } of entries) {
          message = fold(message, event)
          waiting = waitingCalls(waiting, event)
        }
        const last = entries.at(-1)
        if (last && last.seq >= run.lastSeq && pausesAfter(last.event, waiting)) return message
      }
      return message
    },
    async soFar(run) {
      const entries = await store.read(run.id, 0, { limit: ALL, joined: true })
      return entries.reduce((message, { event }) => fold(message, event), emptyMessage(run.messageId))
    },
  }
}
