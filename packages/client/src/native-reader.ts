import { isTerminal, type LogEntry, type RunEvent } from 'dragoman/events'
import { dataLines } from './data-lines.ts'
import type { StreamReader } from './resume-stream.ts'

/** Reads native: the entries of a log, after the one of that number. */
export function nativeReader(after: number): StreamReader<LogEntry> {
  let last = after
  let hasTerminal = false
  return {
    protocol: 'native',
    boundary: '\n\n',
    type: 'text/event-stream',
    cursor: () => (last > 0 ? String(last) : undefined),
    take(text) {
      const news = dataLines(text).map(entryOf)
      // One who came back without their cursor, by a proxy that takes it out, is told what they have.
      return news.filter(({ seq, event }) => {
        if (seq <= last) return false
        last = seq
        hasTerminal = isTerminal(event)
        return true
      })
    },
    isEnded: () => hasTerminal,
  }
}

function entryOf(data: string): LogEntry {
  const { seq, at, ...event } = JSON.parse(data) as Pick<LogEntry, 'seq' | 'at'> & RunEvent
  return { seq, at, event }
}
