import { noUsage, type FinishReason, type LogEntry, type RunEvent, type Usage } from '../events/index.ts'

/** One call of a model. It began when the step before had ended: of a call the log has nothing before its first word, at `first`. */
export type ChatDone = {
  readonly type: 'chat'
  /** From 1, in its run. */
  readonly step: number
  /** None where it failed before it was known which one answers. */
  readonly model: string | undefined
  readonly start: number
  readonly first?: number
  readonly end: number
  readonly reason?: FinishReason
  readonly usage: Usage
  readonly error?: string
}

/** The calls of a run's models, from the log. */
export interface Chats {
  take(entry: LogEntry): readonly ChatDone[]
  /** An attempt begins: what was over before it is another's to tell. */
  begin(at: number): void
  /** What is over when the attempt is let go of. */
  leave(): readonly ChatDone[]
}

type Step = { number: number; model: string; start: number; first: number; said: number; calls: boolean }

/** `wanted`: the model that was asked for by name. */
export function chats(wanted: string | undefined): Chats {
  /** When the model was asked last. */
  let asked: number | undefined
  let step: Step | undefined
  /** One that was cut off: why is told by what comes next. */
  let cut: ChatDone | undefined
  let count = 0

  const cutBy = (event?: RunEvent): ChatDone[] => {
    const done = cut ? [{ ...cut, ...whyCut(event) }] : []
    cut = undefined
    return done
  }
  /** A model that fails before its first word begins no step. */
  const silent = (event: RunEvent, end: number): ChatDone[] => {
    if (event.type !== 'run.failed' || step || !isModels(event.failure.code)) return []
    const error = event.failure.code
    const start = asked ?? end
    return [{ type: 'chat', step: ++count, model: wanted, start, end, usage: noUsage, error }]
  }
  return {
    begin(at) {
      asked = at
      cut = undefined
    },
    leave: () => cutBy(),
    take({ event, at }) {
      const ended = cutBy(event)
      asked = event.type === 'run.resumed' ? at : (asked ?? at)
      if (event.type === 'step.started')
        step = { number: ++count, model: event.model, start: asked, first: at, said: at, calls: false }
      if (step && SAID.has(event.type)) step.said = at
      if (step && event.type === 'tool.called') step.calls = true
      if (event.type !== 'step.finished') return ended.length > 0 ? ended : silent(event, at)
      if (!step) return ended
      const chat = chatOf(step, event, at)
      step = undefined
      asked = at
      if (event.reason !== 'interrupted') return [...ended, chat]
      cut = chat
      return ended
    },
  }
}

/** What a model says. */
const SAID: ReadonlySet<RunEvent['type']> = new Set([
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
function chatOf(step: Step, event: Extract<RunEvent, { type: 'step.finished' }>, at: number): ChatDone {
  const { number, model, start, first, said, calls } = step
  const end = calls || event.reason === 'interrupted' ? said : at
  return { type: 'chat', step: number, model, start, first, end, reason: event.reason, usage: event.usage }
}

/** A stop is no error. */
function whyCut(event: RunEvent | undefined): { error?: string } {
  if (event?.type === 'run.cancelled') return {}
  return { error: event?.type === 'run.failed' ? event.failure.code : 'interrupted' }
}

function isModels(code: string): boolean {
  return code.startsWith('model-') || code === 'rate-limited' || code === 'timed-out'
}
