import { isDeepStrictEqual } from 'node:util'

import { isTerminal, noUsage, type RunEvent } from '../packages/dragoman/src/events/index.ts'
import { findLogError } from '../packages/dragoman/src/protocols/log-validator.fixture.ts'
import type { EndedRun } from './run-checks.ts'

/** Entries are numbered from 1 without gaps and in time order. They are legal and end with the only terminal entry. */
export function logMistakes({ entries, mayBeGivenUp }: Pick<EndedRun, 'entries' | 'mayBeGivenUp'>): string[] {
  const found: string[] = []
  for (const [index, { seq, at }] of entries.entries()) {
    if (seq !== index + 1) found.push(`entry ${index + 1} of the log has the number ${seq}`)
    if (at < (entries[index - 1]?.at ?? 0)) found.push(`entry ${seq} is older than the one before it`)
  }
  const events = entries.map(({ event }) => event)
  const ends = entries.filter(({ event }) => isTerminal(event)).map(({ seq }) => seq)
  if (ends.length !== 1)
    found.push(`the log has ${ends.length} terminal entries: ${ends.join(', ') || 'none'}`)
  if (ends.length > 0 && ends.at(-1) !== entries.length)
    found.push(`entry ${ends.at(-1)} is terminal, and not the last`)
  const isUnread = mayBeGivenUp && isEndedUnread(events)
  const mistake = findLogError(isUnread ? events.slice(0, -1) : events, { complete: !isUnread })
  return mistake === undefined ? found : [...found, `the log is not legal: ${mistake}`]
}

/** After four processes that ended, a run is ended unread: what is open stays open, and no usage is counted. */
function isEndedUnread(events: readonly RunEvent[]): boolean {
  const end = events.at(-1)
  return (
    end?.type === 'run.failed' && end.failure.code === 'interrupted' && isDeepStrictEqual(end.usage, noUsage)
  )
}
