import type { Envelope, LegacyFrame } from '../protocols/envelope/wire.ts'
import { dataLines, type StreamReader } from '@dragoman/client'

/**
 * Reads envelopes. A stream without `ids=1` has no cursors: a reconnect repeats the whole run, so this reader drops the
 * increments that it has received. It throws where they are others: the log was replaced.
 */
export function envelopeReader(responseMode: 'incremental' | 'full'): StreamReader<Envelope> {
  let cursor: string | undefined
  /** Increments of bodies without cursors, and how many of them the present body has repeats. */
  const increments: string[] = []
  let repeats = 0
  let isEnded = false
  const isRepeated = ({ messages }: Envelope): boolean => {
    const text = JSON.stringify(messages)
    if (repeats < increments.length) {
      if (increments[repeats++] === text) return true
      throw new Error('The run has another log.', { cause: { code: 'cursor-unknown' } })
    }
    if (!cursor && responseMode !== 'full') repeats = increments.push(text)
    return false
  }
  return {
    protocol: 'envelope',
    boundary: '\n\n',
    type: 'text/event-stream',
    cursor: () => cursor,
    take(text) {
      for (const line of text.split('\n')) if (line.startsWith('id: ')) cursor = line.slice(4)
      return dataLines(text).flatMap((data) => {
        const frame = JSON.parse(data) as Envelope | LegacyFrame
        if (!('messages' in frame) || isRepeated(frame)) return []
        isEnded = frame.msgStatus === 'finished'
        return frame
      })
    },
    isEnded() {
      if (!cursor) repeats = 0
      return isEnded
    },
  }
}
