import type { LogEntry, RunEvent } from '../events/index.ts'
import { isDelta, joinDeltas } from './deltas.ts'
import type { RunLog } from './run-log.ts'

/** A writer that is this many events ahead of its log is asked to wait. */
const AHEAD = 256

/** One runner's pen: events go in one by one and are committed in groups, in order. */
export interface LogWriter {
  /** Gives a promise only when the log is far behind; wait for it then. It never rejects: `flush` says what went wrong. */
  write(event: RunEvent): void | Promise<void>
  /**
   * Resolves once all that was written is in the log, with the number of the last entry before which there is none that this writer does
   * not know. @throws what the store refused, now and ever after.
   */
  flush(): Promise<number>
  /** Says that what others have written up to an entry has been read. */
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
  const place = placeAfter(options.lastSeq)
  const waiting = gathered()
  let commit: Promise<void> | undefined
  let waits = false
  let refusal: { error: unknown } | undefined
  let spoken = false

  const commitWaiting = async (): Promise<void> => {
    while (waiting.length > 0 && !refusal) {
      try {
        place.wrote(await log.append(runId, waiting.take(), { epoch }))
      } catch (error) {
        refusal = { error }
        options.onRefused(error)
      }
    }
    // At once, not when the promise settles: what is written in between would wait for nobody.
    commit = undefined
  }

  const commitNow = (): Promise<void> => {
    if (waiting.length > 0) commit ??= commitWaiting()
    return commit ?? Promise.resolve()
  }

  const atBeat = (): void => {
    waits = false
    void commitNow()
  }

  return {
    write(event) {
      if (refusal) return undefined
      const delta = isDelta(event)
      waiting.add(event)
      if (!delta || !spoken) setImmediate(() => void commitNow())
      else if (!waits) log.atBeat(atBeat)
      waits ||= delta && spoken
      spoken ||= delta
      return waiting.length > AHEAD ? commitNow() : undefined
    },

    async flush() {
      while (!refusal && (waiting.length > 0 || commit)) await commitNow()
      if (refusal) throw refusal.error
      return place.seen()
    },
    saw: place.saw,
  }
}

/** How far a writer knows its log: others may write between its own entries. */
function placeAfter(seq: number) {
  let own = seq
  let seen = seq
  return {
    seen: () => seen,
    wrote(entries: readonly LogEntry[]): void {
      own = entries.at(-1)?.seq ?? own
      if (entries[0]?.seq === seen + 1) seen = own
    },
    saw(others: number): void {
      seen = Math.max(seen, own, others)
    },
  }
}

/** Events that go into the log together. */
function gathered() {
  let events: RunEvent[] = []
  return {
    get length() {
      return events.length
    },
    add(event: RunEvent): void {
      const last = events.at(-1)
      const joined = last && isDelta(last) && isDelta(event) ? joinDeltas(last, event) : undefined
      if (joined) events[events.length - 1] = joined
      else events.push(event)
    },
    take(): RunEvent[] {
      const taken = events
      events = []
      return taken
    },
  }
}
