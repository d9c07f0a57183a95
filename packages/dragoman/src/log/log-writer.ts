import { setImmediate as immediate } from 'node:timers/promises'

import type { LogEntry, RunEvent } from '../events/index.ts'
import { eventSize } from './event-size.ts'
import { isDelta, joinDeltas } from './join-deltas.ts'
import type { RunLog } from './run-log.ts'

/** A writer that is further ahead of its log must wait. */
const MAX_EVENTS_AHEAD = 256
/** The same for deltas that are joined: to take so many takes some ms, in which the event loop does not turn. */
const MAX_DELTAS_AHEAD = 4096
const MAX_BYTES_AHEAD = 64 * 1024

/** Writes one run's events: they come one by one and are committed in groups, in order. */
export interface LogWriter {
  /**
   * Gives a promise only when the log is far behind; wait for it then. It never rejects: `flush` says what went
   * wrong. `bytes` is the size of the event, where it is known.
   */
  write(event: RunEvent, bytes?: number): void | Promise<void>
  /**
   * Resolves once all that was written is in the log, with the number of the last entry before which there is none
   * that this writer does not know. @throws what the store refused, now and ever after.
   */
  flush(): Promise<number>
  /** Says that this writer knows what others have written up to an entry. */
  saw(seq: number): void
}

type LogWriterOptions = {
  readonly log: RunLog
  readonly runId: string
  readonly epoch: number
  readonly lastSeq: number
  readonly onRefused: (error: unknown) => void
  readonly onWrite?: (bytes: number) => void
  /** Commits for a writer that is far ahead, when it is its turn. Default: at once. */
  readonly onFull?: (commit: () => Promise<void>) => Promise<void>
}

/**
 * `onRefused` is called once, when the store refuses a group: nothing is written after that. `onWrite` gets the size
 * of each event.
 */
export function logWriter(options: LogWriterOptions): LogWriter {
  const { log, runId, epoch, onFull = (commit) => commit() } = options
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
    write(event, bytes = eventSize(event)) {
      if (refusal) return undefined
      options.onWrite?.(bytes)
      const delta = isDelta(event)
      waiting.add(event, bytes)
      if (!delta || !hasDelta) setImmediate(() => void commitNow())
      else if (!isScheduled) log.onGroupCommit(commitGroup)
      isScheduled ||= delta && hasDelta
      hasDelta ||= delta
      return waiting.isFull ? withTurn(onFull(commitNow)) : undefined
    },

    async flush() {
      while (!refusal && (waiting.length > 0 || commit)) await commitNow()
      if (refusal) throw refusal.error
      return position.seen()
    },
    saw: position.saw,
  }
}

/** A store in memory commits without a turn of the event loop. */
async function withTurn(commit: Promise<void>): Promise<void> {
  await Promise.all([commit, immediate()])
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
  let count = 0
  let bytes = 0
  return {
    get length() {
      return events.length
    },
    get isFull() {
      return events.length > MAX_EVENTS_AHEAD || count > MAX_DELTAS_AHEAD || bytes > MAX_BYTES_AHEAD
    },
    add(event: RunEvent, size: number): void {
      count += 1
      bytes += size
      const last = events.at(-1)
      const merged = last && isDelta(last) && isDelta(event) ? joinDeltas(last, event) : undefined
      if (merged) events[events.length - 1] = merged
      else events.push(event)
    },
    take(): RunEvent[] {
      const batch = events
      events = []
      count = 0
      bytes = 0
      return batch
    },
  }
}
