import { addUsage, noUsage, type FinishReason, type LogEntry, type Usage } from '../events/index.ts'
import { trackToolCalls, type ToolCallActivity } from './tool-call-tracker.ts'
import { trackModelCalls, type ModelCallActivity } from './model-call-tracker.ts'

/** A completed activity of a run. Times are in ms since 1970, as in the log. */
export type RunActivity = ModelCallActivity | ToolCallActivity | AttemptActivity

/** The work of one process on a run, until the run ended, was suspended (`waiting`) or was released (`left`). */
export type AttemptActivity = {
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

/** Tracks one attempt by its log entries. */
export interface AttemptTracker {
  /** Returns the activities that an entry completes; the attempt comes last. */
  take(entry: LogEntry): readonly RunActivity[]
  /** Ends the attempt because the run was released. */
  release(): readonly RunActivity[]
}

export type AttemptStart = {
  /** When this process began to drive the run. */
  readonly at: number
  /** Whether the run was driven before. */
  readonly isResumed: boolean
  /** How the log was built until then: `isStructural` is enough. */
  readonly earlierEntries: readonly LogEntry[]
  /** The model that the request names. */
  readonly requestedModel?: string | undefined
}

/** Tracks one attempt. It never reads the content of texts. */
export function trackAttempt({
  at: startedAt,
  isResumed,
  earlierEntries,
  requestedModel,
}: AttemptStart): AttemptTracker {
  const toolCalls = trackToolCalls()
  const modelCalls = trackModelCalls(requestedModel)
  for (const entry of earlierEntries) {
    modelCalls.take(entry)
    toolCalls.take(entry)
  }
  modelCalls.begin(startedAt)
  let sum: Pick<AttemptActivity, 'steps' | 'usage' | 'model'> = { steps: 0, usage: noUsage, model: undefined }
  let last = startedAt
  let resumeCount = isResumed ? 0 : 1

  const count = (activity: ModelCallActivity | ToolCallActivity): void => {
    const usage = addUsage(sum.usage, activity.usage ?? noUsage)
    sum =
      activity.type === 'tool' ? { ...sum, usage } : { steps: sum.steps + 1, usage, model: activity.model }
  }
  const toAttempt = (
    end: number,
    outcome: Pick<AttemptActivity, 'outcome' | 'reason' | 'error'>,
  ): AttemptActivity => ({
    type: 'attempt',
    start: Math.min(startedAt, end),
    end,
    ...sum,
    ...outcome,
  })
  const release = (): readonly RunActivity[] => {
    const openCalls = modelCalls.release()
    openCalls.forEach(count)
    return [...openCalls, toAttempt(last, { outcome: 'left' })]
  }
  return {
    release,
    take(entry) {
      const { event, at } = entry
      // Another process continues the run, so later entries belong to its attempt.
      if (event.type === 'run.resumed' && resumeCount++ > 0) return release()
      last = at
      const activity = [...modelCalls.take(entry), ...toolCalls.take(entry)]
      activity.forEach(count)
      const outcome = outcomeOf(event)
      return outcome ? [...activity, toAttempt(at, outcome)] : activity
    },
  }
}

function outcomeOf(
  event: LogEntry['event'],
): Pick<AttemptActivity, 'outcome' | 'reason' | 'error'> | undefined {
  if (event.type === 'run.waiting') return { outcome: 'waiting' }
  if (event.type === 'run.finished') return { outcome: 'finished', reason: event.reason }
  if (event.type === 'run.failed') return { outcome: 'failed', error: event.failure.code }
  return event.type === 'run.cancelled' ? { outcome: 'cancelled' } : undefined
}
