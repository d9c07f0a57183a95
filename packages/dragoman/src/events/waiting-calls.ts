import { isTerminal, type RunEvent } from './run-event.ts'

/** The calls that a suspended run still waits for, after one more event. Empty if the run does not wait. */
export function waitingCalls(waiting: readonly string[], event: RunEvent): readonly string[] {
  if (event.type === 'run.waiting') return event.calls
  if (waiting.length === 0) return waiting
  if (event.type === 'run.resumed' || isTerminal(event)) return []
  return 'callId' in event ? waiting.filter((callId) => callId !== event.callId) : waiting
}

/**
 * Whether a response body may end after an event, because its run waits for `waiting`. Some of its calls may
 * have been answered already.
 */
export function pausesAfter({ type }: RunEvent, waiting: readonly string[]): boolean {
  return waiting.length > 0 && (type === 'run.waiting' || type === 'tool.answered')
}
