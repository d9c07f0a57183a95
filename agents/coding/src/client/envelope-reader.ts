import type { Envelope, LegacyFrame } from '../protocols/envelope/wire.ts'
import { dataLines, type StreamReader } from '@dragoman/client'

/**
 * Reads envelopes. A stream without `ids=1` has no cursors: a reconnect repeats the whole run, so this reader drops as
 * many increments as it has received.
 */
export function envelopeReader(responseMode: 'incremental' | 'full'): StreamReader<Envelope> {
  let cursor: string | undefined
  let received = 0
  let repeats = 0
  let isEnded = false
  return {
    protocol: 'envelope',
    boundary: '\n\n',
    type: 'text/event-stream',
    cursor: () => cursor,
    take(text) {
      for (const line of text.split('\n')) if (line.startsWith('id: ')) cursor = line.slice(4)
      return dataLines(text).flatMap((data) => {
        const frame = JSON.parse(data) as Envelope | LegacyFrame
        if (!('messages' in frame) || repeats-- > 0) return []
        received++
        isEnded = frame.msgStatus === 'finished'
        return frame
      })
    },
    isEnded() {
      if (cursor === undefined && responseMode === 'incremental') repeats = received
      return isEnded
    },
  }
}
