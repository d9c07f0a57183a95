import { isTerminal, type RunEvent } from './run-event.ts'

/** The calls that a parked run still waits for, one event later: none where it does not wait. */
export function waitingCalls(waiting: readonly string[], event: RunEvent): readonly string[] {
  if (event.type === 'run.waiting') return event.calls
  if (waiting.length === 0) return waiting
  if (event.type === 'run.resumed' || isTerminal(event)) return []
  return 'callId' in event ? waiting.filter((callId) => callId !== event.callId) : waiting
}

/** Whether a body may end after an event, for its run waits for somebody; `waiting` is what it waits for then. Some answers may have come. */
export function pausesAfter({ type }: RunEvent, waiting: readonly string[]): boolean {
  return waiting.length > 0 && (type === 'run.waiting' || type === 'tool.answered')
}
