import {
  emptyMessage,
  fold,
  isTerminal,
  pausesAfter,
  waitingCalls,
  type AssistantMessage,
  type LogEntry,
  type Run,
  type RunSummary,
  type RunEvent,
} from '../events/index.ts'
import { eventSize, FIRST_SEQ, PAGE_BYTES, readPages, type RunLog, type Store } from '../log/index.ts'
import { runTooLarge } from './run-budget.ts'

const ALL = Number.MAX_SAFE_INTEGER
/** No run may produce more. */
const MAX_SNAPSHOT_BYTES = 64 * 1024 * 1024
/** What a run is taken to have said whose log has more than one page. */
const LARGE_BYTES = 16 * 1024 * 1024

/** Reads what a run's log comes to. */
export interface RunSnapshots {
  /**
   * Waits until a run has ended, or waits (for what is still unanswered), or until `signal` aborts. Returns the last
   * entry of the log up to there.
   */
  pause(run: RunSummary, signal: AbortSignal): Promise<number>
  /** What a run has said so far, or up to an entry. Nothing large of it is read before `read` is called. */
  snapshot(run: RunSummary, to?: number): Promise<RunSnapshot>
  /** What a run has said so far. */
  soFar(run: RunSummary): Promise<AssistantMessage>
  /** The entries that say how a run's message is built, without the outcomes of calls and without data. */
  structure(run: RunSummary): Promise<LogEntry[]>
}

/** `bytes`: about what `read` reads. */
export type RunSnapshot = { readonly bytes: number; readonly read: () => Promise<AssistantMessage> }

export function runSnapshots({ store, log }: { readonly store: Store; readonly log: RunLog }): RunSnapshots {
  const structure = async (run: RunSummary): Promise<LogEntry[]> => {
    const all: LogEntry[] = []
    for await (const page of readPages(store, run.id, 0, { structure: true }))
      all.push(...page.map(withoutValues))
    return all
  }
  const snapshot = async (run: RunSummary, to = ALL): Promise<RunSnapshot> => {
    const what = { to, joined: true } as const
    const pages = readPages(store, run.id, FIRST_SEQ, what)
    const { value: first = [] } = await pages.next()
    const isWhole = (first.at(-1)?.seq ?? FIRST_SEQ) >= Math.min(run.lastSeq, to)
    return {
      bytes: isWhole ? PAGE_BYTES : LARGE_BYTES,
      async read() {
        let message = foldPage(emptyMessage(run.messageId), first)
        let bytes = 0
        for await (const page of pages) {
          bytes += page.reduce((sum, { event }) => sum + eventSize(event), 0)
          if (bytes > MAX_SNAPSHOT_BYTES) throw runTooLarge(MAX_SNAPSHOT_BYTES)
          message = foldPage(message, page)
        }
        return message
      },
    }
  }
  return {
    structure,
    snapshot,
    soFar: async (run) => (await snapshot(run)).read(),
    async pause(run, signal) {
      let last = 0
      let waiting: readonly string[] = []
      for (const { seq, event } of await structure(run)) {
        waiting = waitingCalls(waiting, event)
        last = seq
        if (isTerminal(event) || (seq >= run.lastSeq && pausesAfter(event, waiting))) return seq
      }
      for await (const entries of log.follow(run.id, Math.max(last, run.lastSeq), signal)) {
        for (const { event } of entries) waiting = waitingCalls(waiting, event)
        const end = entries.at(-1)
        last = end?.seq ?? last
        if (end && pausesAfter(end.event, waiting)) break
      }
      return last
    },
  }
}

function foldPage(message: AssistantMessage, page: readonly LogEntry[]): AssistantMessage {
  return page.reduce((before, { event }) => fold(before, event), message)
}

function withoutValues(entry: LogEntry): LogEntry {
  const { event } = entry
  if (event.type === 'tool.returned') return { ...entry, event: { ...event, output: null, text: '' } }
  return event.type === 'data' ? { ...entry, event: { ...event, value: null } } : entry
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
