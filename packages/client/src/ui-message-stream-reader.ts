import type { DONE as Done } from 'dragoman/protocols/ui-message-stream/wire'
import type { StreamReader } from './resume-stream.ts'

const DONE: typeof Done = '[DONE]'

/**
 * Reads ui-message-stream, whose events carry their cursors. A waiting run sends `[DONE]` and may continue after it,
 * so only a final `[DONE]` is the end.
 */
export function uiMessageStreamReader(after: string | undefined): StreamReader<string> {
  let cursor = after
  let isDone = false
  return {
    protocol: 'ui-message-stream',
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
        isDone = line === `data: ${DONE}`
      }
      // Heartbeats are not passed on.
      return isNews ? [text] : []
    },
    isEnded: () => isDone,
  }
}
