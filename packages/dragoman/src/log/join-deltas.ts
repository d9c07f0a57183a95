import type { LogEntry, RunEvent } from '../events/index.ts'

export type Delta = Extract<RunEvent, { type: 'text.delta' | 'reasoning.delta' | 'tool.delta' }>

export function isDelta(event: RunEvent): event is Delta {
  return event.type === 'text.delta' || event.type === 'reasoning.delta' || event.type === 'tool.delta'
}

/** Both as one, where they are of one part. */
export function joinDeltas(before: Delta, after: Delta): Delta | undefined {
  const samePart =
    before.type === 'tool.delta'
      ? after.type === 'tool.delta' && after.callId === before.callId
      : after.type === before.type && after.partId === before.partId
  return samePart ? { ...before, delta: before.delta + after.delta } : undefined
}

/** Neighbouring deltas of one part as one entry, which has the number and time of their last. */
export function joinedEntries(entries: readonly LogEntry[]): LogEntry[] {
  const result: LogEntry[] = []
  for (const entry of entries) {
    const last = result.at(-1)?.event
    const event = last && isDelta(last) && isDelta(entry.event) ? joinDeltas(last, entry.event) : undefined
    if (event) result[result.length - 1] = { ...entry, event }
    else result.push(entry)
  }
  return result
}
