import { isJsonObject } from 'dragoman/events'
import { dataStream, type Protocol } from 'dragoman/protocols'
import { encoder } from './encode.ts'
import { markedText } from './tool-mark.ts'

export { markedText }

/**
 * The AI SDK's data stream for pages that draw cards from marks in the text, `[[TOOL:name:json]]`, and show
 * `2:["thinking", …]` while the agent works.
 */
export const vibelifeMarks: Protocol = {
  ...dataStream,
  name: 'vibelife-marks',
  dialectOf: dataStream.name,
  encoder,
  whole(run, view, message) {
    const whole = dataStream.whole(run, view, message)
    return isJsonObject(whole) ? { ...whole, content: markedText(message) } : whole
  },
}
