import type { StreamReader } from './resume-stream.ts'

/** Reads a protocol whose events carry their cursors. `isEnd`: whether the stream may end with this event. */
export function eventStreamReader(
  protocol: string,
  headers: Headers,
  isEnd: (data: string) => boolean,
): StreamReader<string> {
  let cursor = headers.get('x-after') ?? undefined
  let last = ''
  return {
    protocol,
    boundary: '\n\n',
    type: 'text/event-stream',
    cursor: () => cursor,
    take(text) {
      let isNews = false
      // No regular expression: its lines also end at U+2028, which a text may contain.
      for (const line of text.split('\n')) {
        if (line.startsWith('id: ')) cursor = line.slice(4)
        if (!line.startsWith('data: ')) continue
        isNews = true
        last = line.slice(6)
      }
      // Heartbeats are not passed on.
      return isNews ? [text] : []
    },
    isEnded: () => isEnd(last),
  }
}
