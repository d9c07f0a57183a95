import { isJsonObject } from 'dragoman/events'
import { dataStream, type Protocol } from 'dragoman/protocols'
import { encoder } from './encode.ts'
import { withWords } from './marked-result.ts'
import { markedText } from './tool-mark.ts'

export { markedText }

/**
 * The AI SDK's data stream for pages that draw cards from marks in the text, `[[TOOL:name:json]]`, and show
 * `2:["thinking", …]` while the agent works.
 */
export const marksAsDataStream: Protocol = {
  ...dataStream,
  name: 'vibelife-marks',
  encoder,
  whole(run, view, message) {
    const parts = message.parts.map((part) =>
      part.type === 'tool' && part.state === 'returned' && part.answer?.kind !== 'output'
        ? withWords(part)
        : part,
    )
    const whole = dataStream.whole(run, view, { ...message, parts })
    return isJsonObject(whole) ? { ...whole, content: markedText(message) } : whole
  },
}

/** Nothing in a body tells these pages from others of the data stream, so a request must name the protocol. */
export const vibelifeMarks: Protocol = { ...marksAsDataStream, recognizes: () => false }
