import { noUsage, type FinishReason, type LogEntry, type RunEvent, type Usage } from '../events/index.ts'

/**
 * One call of a model. It began when the step before had ended: of a call the log has nothing before its first
 * word, at `first`.
 */
export type ModelCallActivity = {
  readonly type: 'chat'
  /** From 1, in its run. */
  readonly step: number
  /** Absent if the call failed before a model answered. */
  readonly model: string | undefined
  readonly start: number
  readonly first?: number
  readonly end: number
  readonly reason?: FinishReason
  readonly usage: Usage
  readonly error?: string
}

/** The calls of a run's models, from the log. */
export interface ModelCallTracker {
  take(entry: LogEntry): readonly ModelCallActivity[]
  /** Starts an attempt. Earlier activities belong to other attempts. */
  begin(at: number): void
  /** Returns the activities that end because the run was released. */
  release(): readonly ModelCallActivity[]
}

type Step = {
  number: number
  model: string
  start: number
  first: number
  lastOutputAt: number
  calls: boolean
}

/** `requestedModel`: the model that the request names. */
export function trackModelCalls(requestedModel: string | undefined): ModelCallTracker {
  /** The time of the last model request. */
  let requestedAt: number | undefined
  let step: Step | undefined
  /** A call that was cut off. The next event contains the reason. */
  let cutCall: ModelCallActivity | undefined
  let count = 0

  const takeCutCall = (event?: RunEvent): ModelCallActivity[] => {
    const activity = cutCall ? [{ ...cutCall, ...cutError(event) }] : []
    cutCall = undefined
    return activity
  }
  /** A model that fails before its first word begins no step. */
  const failedCall = (event: RunEvent, end: number): ModelCallActivity[] => {
    if (event.type !== 'run.failed' || step || !isModelError(event.failure.code)) return []
    const error = event.failure.code
    const start = requestedAt ?? end
    return [{ type: 'chat', step: ++count, model: requestedModel, start, end, usage: noUsage, error }]
  }
  return {
    begin(at) {
      requestedAt = at
      cutCall = undefined
    },
    release: () => takeCutCall(),
    take({ event, at }) {
      const endedCalls = takeCutCall(event)
      requestedAt = event.type === 'run.resumed' ? at : (requestedAt ?? at)
      if (event.type === 'step.started')
        step = {
          number: ++count,
          model: event.model,
          start: requestedAt,
          first: at,
          lastOutputAt: at,
          calls: false,
        }
      if (step && OUTPUT_EVENTS.has(event.type)) step.lastOutputAt = at
      if (step && event.type === 'tool.called') step.calls = true
      if (event.type !== 'step.finished') return endedCalls.length > 0 ? endedCalls : failedCall(event, at)
      if (!step) return endedCalls
      const chat = toModelCall(step, event, at)
      step = undefined
      requestedAt = at
      if (event.reason !== 'interrupted') return [...endedCalls, chat]
      cutCall = chat
      return endedCalls
    },
  }
}

/** The events of a model's output. */
const OUTPUT_EVENTS: ReadonlySet<RunEvent['type']> = new Set([
  'text.started',
  'text.delta',
  'text.ended',
  'reasoning.started',
  'reasoning.delta',
  'reasoning.ended',
  'tool.started',
  'tool.delta',
  'tool.called',
])

/** A step with calls ends once these have their outcomes: the model was done before. */
function toModelCall(
  step: Step,
  event: Extract<RunEvent, { type: 'step.finished' }>,
  at: number,
): ModelCallActivity {
  const { number, model, start, first, lastOutputAt, calls } = step
  const end = calls || event.reason === 'interrupted' ? lastOutputAt : at
  return { type: 'chat', step: number, model, start, first, end, reason: event.reason, usage: event.usage }
}

/** A stop is not an error. */
function cutError(event: RunEvent | undefined): { error?: string } {
  if (event?.type === 'run.cancelled') return {}
  return { error: event?.type === 'run.failed' ? event.failure.code : 'interrupted' }
}

function isModelError(code: string): boolean {
  return code.startsWith('model-') || code === 'rate-limited' || code === 'timed-out'
}
