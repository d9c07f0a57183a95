import { entryMark, isTerminal, type LogEntry, type RunEvent } from 'dragoman/events'
import { dataLines } from './data-lines.ts'
import type { StreamReader } from './resume-stream.ts'

/** Reads the native protocol: the entries of a log after that one. */
export function nativeReader(after?: LogEntry): StreamReader<LogEntry> {
  let last = after
  return {
    protocol: 'native',
    boundary: '\n\n',
    type: 'text/event-stream',
    cursor: () => last && `${last.seq}-${entryMark(last)}`,
    take(text) {
      const news = dataLines(text).map(entryOf)
      // A proxy that removes the cursor causes a replay of known entries.
      return news.filter((entry) => {
        if (last && entry.seq <= last.seq) return false
        last = entry
        return true
      })
    },
    isEnded: () => last !== undefined && isTerminal(last.event),
  }
}

function entryOf(data: string): LogEntry {
  const { seq, at, ...event } = JSON.parse(data) as Pick<LogEntry, 'seq' | 'at'> & RunEvent
  return { seq, at, event }
}
