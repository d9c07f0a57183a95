import { pausesAfter, waitingCalls, type LogEntry, type Question } from 'dragoman/events'
import type { Protocol } from 'dragoman/protocols'
import type { Cursor } from 'dragoman/fan-out'

/** A part of a run's log: the entries after a cursor, up to `to` if a body ends there. */
export type LogRange = { readonly after: Cursor; readonly to?: number }

/** The open questions of a run, by call. A call may be asked twice: for approval, then for the client's output. */
export function openQuestions(entries: readonly LogEntry[]): ReadonlyMap<string, Question> {
  const open = new Map<string, Question>()
  for (const { event } of entries) {
    if (event.type === 'tool.asked') open.set(event.callId, event.question)
    else if (event.type === 'tool.answered' || event.type === 'tool.returned' || event.type === 'tool.failed')
      open.delete(event.callId)
  }
  return open
}

/** The part after the last answer of a request; if another answer counted, after the last answer to the same calls. */
export function rangeAfterAnswer(
  entries: readonly LogEntry[],
  { key, calls }: { readonly key: string | undefined; readonly calls: ReadonlySet<string> },
  protocol: Protocol,
): LogRange {
  const answers = entries.filter(({ event }) => event.type === 'tool.answered' && calls.has(event.callId))
  const own = answers.findLast(({ event }) => event.type === 'tool.answered' && event.key === key)
  const lastAnswer = own ?? answers.at(-1)
  const waits = entries.findLast(
    ({ event }) => event.type === 'run.waiting' && event.calls.some((callId) => calls.has(callId)),
  )
  const pauses = findPauses(entries)
  const after = lastAnswer ? (pauses.findLast((seq) => seq < lastAnswer.seq) ?? 0) : (waits?.seq ?? 0)
  return { after: { seq: after, frames: 0 }, ...endAfter(pauses, after, protocol) }
}

/** Where the part after an entry ends, if the run has continued since. */
export function rangeAfter(
  seq: number,
  entries: readonly LogEntry[],
  protocol: Protocol,
): { readonly to?: number } {
  return endAfter(findPauses(entries), seq, protocol)
}

function endAfter(
  pauses: readonly number[],
  after: number,
  { endsAtWaiting }: Protocol,
): { readonly to?: number } {
  const to = endsAtWaiting === true ? pauses.find((seq) => seq > after) : undefined
  return to === undefined ? {} : { to }
}

/** The entries where a run began or continued to wait: a body ends there. */
function findPauses(entries: readonly LogEntry[]): number[] {
  let waiting: readonly string[] = []
  return entries.flatMap(({ seq, event }) => {
    waiting = waitingCalls(waiting, event)
    return pausesAfter(event, waiting) ? [seq] : []
  })
}
