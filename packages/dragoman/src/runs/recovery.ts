import { CORRECTION, type FinishReason, type Run, type RunEvent, type ToolPart } from '../events/index.ts'
import { MAX_ATTEMPTS } from './failed-attempts.ts'
import type { Past } from './run-history.ts'

type Resumed = Extract<RunEvent, { type: 'run.resumed' }>

/** The entry with which an attempt begins. Only attempts after a crash count, and none after a hand-over. */
export function resumption({ events, message }: Past, isHandedOver = false): Resumed {
  const last = events.findLast((event) => event.type === 'run.resumed')
  const attempt = last?.attempt ?? 0
  if (message.status === 'waiting') return { type: 'run.resumed', because: 'answer', attempt }
  if (isHandedOver) return { type: 'run.resumed', because: 'shutdown', attempt }
  return { type: 'run.resumed', because: 'crash', attempt: attempt + 1 }
}

/**
 * So many processes may end in one step, if the model has answered each of them: nodes are replaced, and machines fail.
 * A run that ends its processes itself must not do so for ever.
 */
const MAX_CRASHES = 10

/** Whether no process may continue the run: its last attempts made no progress. */
export function isGivenUp(run: Run, { because }: Resumed, { events }: Past): boolean {
  if (run.crashes >= MAX_ATTEMPTS) return true
  if (because !== 'crash') return false
  const crashes = crashesSince(events, isProgress)
  const silent = crashesSince(events, (event) => isProgress(event) || ANSWERS.has(event.type))
  return run.onCrash === 'fail' || crashes >= MAX_CRASHES || silent >= MAX_ATTEMPTS
}

/** The crashes since the last such event, with the present one. */
function crashesSince(events: readonly RunEvent[], isSuch: (event: RunEvent) => boolean): number {
  const since = events.slice(events.findLastIndex(isSuch) + 1)
  return 1 + since.filter((event) => event.type === 'run.resumed' && event.because === 'crash').length
}

const ANSWERS: ReadonlySet<RunEvent['type']> = new Set<RunEvent['type']>([
  'text.started',
  'reasoning.started',
])

/** What an attempt that fails cannot write: a whole step, a tool's outcome, or an act of the user. */
function isProgress(event: RunEvent): boolean {
  switch (event.type) {
    case 'step.finished':
      return isWhole(event.reason)
    case 'tool.failed':
      return event.failure.code !== 'interrupted' && event.failure.code !== 'outcome-unknown'
    default:
      return PROGRESS.has(event.type)
  }
}

const PROGRESS: ReadonlySet<RunEvent['type']> = new Set<RunEvent['type']>([
  'tool.returned',
  'tool.answered',
  'user.joined',
  'run.waiting',
])

/** Calls of this server that have no outcome, as far as each has come. */
export function unsettledCalls({ message }: Past): ToolPart[] {
  return message.parts.filter(
    (part): part is ToolPart =>
      part.type === 'tool' && !part.by && part.state !== 'returned' && part.state !== 'failed',
  )
}

/** The user's messages after the first question that is still open. */
export function supersedingMessages({ events, message }: Past): Extract<RunEvent, { type: 'user.joined' }>[] {
  const open = new Set(
    message.parts.flatMap((part) => (part.type === 'tool' && part.state === 'asked' ? [part.callId] : [])),
  )
  const index = events.findIndex((event) => event.type === 'tool.asked' && open.has(event.callId))
  return index < 0 ? [] : events.slice(index).filter((event) => event.type === 'user.joined')
}

/** Steps that the model has taken since the user last spoke: one that was cut off does not count. */
export function stepsTaken({ events }: Past): number {
  const since = events.slice(events.findLastIndex(({ type }) => type === 'user.joined') + 1)
  return since.filter((event) => event.type === 'step.finished' && event.reason !== 'interrupted').length
}

/** Whether the answer is complete: the last step is whole and called nothing, and no message or correction followed. */
export function isComplete({ events }: Past): boolean {
  const step = events.slice(events.findLastIndex((event) => event.type === 'step.started'))
  const reason = step.find((event) => event.type === 'step.finished')?.reason
  return isWhole(reason) && !step.some((event) => goesOn(event, reason))
}

/** After calls of its own, a provider says whether it is done. */
function goesOn(event: RunEvent, reason: FinishReason): boolean {
  if (event.type === 'tool.called') return event.by === undefined || reason === 'tool-calls'
  return event.type === 'user.joined' || (event.type === 'data' && event.name === CORRECTION)
}

function isWhole(reason: FinishReason | undefined): reason is FinishReason {
  return reason !== undefined && reason !== 'interrupted'
}
