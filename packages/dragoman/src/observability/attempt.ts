import { addUsage, noUsage, type FinishReason, type LogEntry, type Usage } from '../events/index.ts'
import { calls, type ToolDone } from './calls.ts'
import { chats, type ChatDone } from './chats.ts'

/** Something in a run that is over. Times are in ms since 1970, as the log has them. */
export type Done = ChatDone | ToolDone | AttemptDone

/** What one process did for a run, until it ended, was parked (`waiting`) or was let go of (`left`). */
export type AttemptDone = {
  readonly type: 'attempt'
  readonly start: number
  readonly end: number
  readonly outcome: 'finished' | 'failed' | 'cancelled' | 'waiting' | 'left'
  /** That of its last step. */
  readonly model: string | undefined
  readonly steps: number
  readonly reason?: FinishReason
  readonly usage: Usage
  readonly error?: string
}

/** What the log's entries tell of one attempt, as each comes. */
export interface Attempt {
  /** What an entry completes; the attempt comes last. */
  take(entry: LogEntry): readonly Done[]
  /** It is let go of. */
  leave(): readonly Done[]
}

export type Begun = {
  /** When this process began to drive the run. */
  readonly at: number
  /** Whether the run was driven before. */
  readonly again: boolean
  /** How the log was built until then: `isStructural` is enough. */
  readonly before: readonly LogEntry[]
  /** The model that was asked for by name. */
  readonly wanted?: string | undefined
}

/** Follows one attempt. It reads nothing of what was said but that it was. */
export function attempt({ at: begun, again, before, wanted }: Begun): Attempt {
  const called = calls()
  const asked = chats(wanted)
  for (const entry of before) {
    asked.take(entry)
    called.take(entry)
  }
  asked.begin(begun)
  let sum: Pick<AttemptDone, 'steps' | 'usage' | 'model'> = { steps: 0, usage: noUsage, model: undefined }
  let last = begun
  let resumed = again ? 0 : 1

  const count = (done: ChatDone | ToolDone): void => {
    const usage = addUsage(sum.usage, done.usage ?? noUsage)
    sum = done.type === 'tool' ? { ...sum, usage } : { steps: sum.steps + 1, usage, model: done.model }
  }
  const over = (end: number, how: Pick<AttemptDone, 'outcome' | 'reason' | 'error'>): AttemptDone => ({
    type: 'attempt',
    start: Math.min(begun, end),
    end,
    ...sum,
    ...how,
  })
  const leave = (): readonly Done[] => {
    const left = asked.leave()
    left.forEach(count)
    return [...left, over(last, { outcome: 'left' })]
  }
  return {
    leave,
    take(entry) {
      const { event, at } = entry
      // Another process goes on with it: what follows is that one's.
      if (event.type === 'run.resumed' && resumed++ > 0) return leave()
      last = at
      const done = [...asked.take(entry), ...called.take(entry)]
      done.forEach(count)
      const how = endOf(event)
      return how ? [...done, over(at, how)] : done
    },
  }
}

function endOf(event: LogEntry['event']): Pick<AttemptDone, 'outcome' | 'reason' | 'error'> | undefined {
  if (event.type === 'run.waiting') return { outcome: 'waiting' }
  if (event.type === 'run.finished') return { outcome: 'finished', reason: event.reason }
  if (event.type === 'run.failed') return { outcome: 'failed', error: event.failure.code }
  return event.type === 'run.cancelled' ? { outcome: 'cancelled' } : undefined
}
