import type { DONE as Done } from 'dragoman/protocols/ui-message-stream/wire'
import type { StreamReader } from './resume-stream.ts'

const DONE: typeof Done = '[DONE]'

/**
 * Reads ui-message-stream, whose events carry their cursors. A run that waited says `[DONE]` and may go on after it: the end is only what
 * comes last.
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
      // No regular expression: its lines end at U+2028 too, which may stand in a text.
      for (const line of text.split('\n')) {
        if (line.startsWith('id: ')) cursor = line.slice(4)
        if (!line.startsWith('data: ')) continue
        isNews = true
        isDone = line === `data: ${DONE}`
      }
      // Heartbeats are for us.
      return isNews ? [text] : []
    },
    isEnded: () => isDone,
  }
}
