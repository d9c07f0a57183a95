import {
  emptyMessage,
  fold,
  pausesAfter,
  waitingCalls,
  type AssistantMessage,
  type LogEntry,
  type Run,
  type RunEvent,
} from '../events/index.ts'
import type { RunLog, Store } from '../log/index.ts'

const ALL = Number.MAX_SAFE_INTEGER

/** Reads what a run's log comes to. */
export interface RunSnapshots {
  /** What a run has said once it has ended, or waits (for what is still unanswered), or when `signal` aborts. */
  whole(run: Run, signal: AbortSignal): Promise<AssistantMessage>
  /** What a run has said so far. */
  soFar(run: Run): Promise<AssistantMessage>
  /** The entries that say how a run's message is built. */
  structure(run: Run): Promise<LogEntry[]>
}

export function runSnapshots({ store, log }: { readonly store: Store; readonly log: RunLog }): RunSnapshots {
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

/** A run as it is now, and the structure of its log up to the row's last entry. Undefined if the run was removed. */
export async function readStructure(
  runId: string,
  store: Store,
): Promise<{ readonly run: Run; readonly events: readonly RunEvent[] } | undefined> {
  const run = await store.get(runId)
  if (!run) return undefined
  const entries = await store.read(runId, 0, { to: run.lastSeq, structure: true, limit: ALL })
  return { run, events: entries.map(({ event }) => event) }
}
