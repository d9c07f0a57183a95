import type { LogEntry, RunEvent } from '../events/index.ts'
import { isDelta, joinDeltas } from './join-deltas.ts'
import type { RunLog } from './run-log.ts'

/** A writer that is more events ahead of its log must wait. */
const MAX_EVENTS_AHEAD = 256

/** Writes one run's events: they come one by one and are committed in groups, in order. */
export interface LogWriter {
  /**
   * Gives a promise only when the log is far behind; wait for it then. It never rejects: `flush` says what went
   * wrong.
   */
  write(event: RunEvent): void | Promise<void>
  /**
   * Resolves once all that was written is in the log, with the number of the last entry before which there is none
   * that this writer does not know. @throws what the store refused, now and ever after.
   */
  flush(): Promise<number>
  /** Says that this writer knows what others have written up to an entry. */
  saw(seq: number): void
}

/** `onRefused` is called once, when the store refuses a group: nothing is written after that. */
export function logWriter(options: {
  log: RunLog
  runId: string
  epoch: number
  lastSeq: number
  onRefused: (error: unknown) => void
}): LogWriter {
  const { log, runId, epoch } = options
  const position = logPosition(options.lastSeq)
  const waiting = eventQueue()
  let commit: Promise<void> | undefined
  let isScheduled = false
  let refusal: { error: unknown } | undefined
  let hasDelta = false

  const commitWaiting = async (): Promise<void> => {
    while (waiting.length > 0 && !refusal) {
      try {
        position.wrote(await log.append(runId, waiting.take(), { epoch }))
      } catch (error) {
        refusal = { error }
        options.onRefused(error)
      }
    }
    // At once, not when the promise settles: nothing would commit what is written in between.
    commit = undefined
  }

  const commitNow = (): Promise<void> => {
    if (waiting.length > 0) commit ??= commitWaiting()
    return commit ?? Promise.resolve()
  }

  const commitGroup = (): void => {
    isScheduled = false
    void commitNow()
  }

  return {
    write(event) {
      if (refusal) return undefined
      const delta = isDelta(event)
      waiting.add(event)
      if (!delta || !hasDelta) setImmediate(() => void commitNow())
      else if (!isScheduled) log.onGroupCommit(commitGroup)
      isScheduled ||= delta && hasDelta
      hasDelta ||= delta
      return waiting.length > MAX_EVENTS_AHEAD ? commitNow() : undefined
    },

    async flush() {
      while (!refusal && (waiting.length > 0 || commit)) await commitNow()
      if (refusal) throw refusal.error
      return position.seen()
    },
    saw: position.saw,
  }
}

/** How far a writer knows its log: others may write between its own entries. */
function logPosition(seq: number) {
  let own = seq
  let lastSeq = seq
  return {
    seen: () => lastSeq,
    wrote(entries: readonly LogEntry[]): void {
      own = entries.at(-1)?.seq ?? own
      if (entries[0]?.seq === lastSeq + 1) lastSeq = own
    },
    saw(others: number): void {
      lastSeq = Math.max(lastSeq, own, others)
    },
  }
}

/** Events that go into the log together. */
function eventQueue() {
  let events: RunEvent[] = []
  return {
    get length() {
      return events.length
    },
    add(event: RunEvent): void {
      const last = events.at(-1)
      const merged = last && isDelta(last) && isDelta(event) ? joinDeltas(last, event) : undefined
      if (merged) events[events.length - 1] = merged
      else events.push(event)
    },
    take(): RunEvent[] {
      const batch = events
      events = []
      return batch
    },
  }
}
