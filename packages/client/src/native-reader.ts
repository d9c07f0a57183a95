import { isTerminal, type LogEntry, type RunEvent } from 'dragoman/events'
import { dataLines } from './data-lines.ts'
import type { StreamReader } from './resume-stream.ts'

/** Reads the native protocol: the entries of a log after the one with that `seq`. */
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
      // A proxy that removes the cursor causes a replay of known entries.
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
