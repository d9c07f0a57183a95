import type { z } from 'zod'

import { contentOf, type MessageContent } from '../../../../test/laws/message-content.ts'
import { eveFrame } from '../../src/protocols/eve/judge.fixture.ts'

/** Of a reader of the frames that Eve documents. */
export function saidByEve(texts: readonly string[]): MessageContent {
  const frames = texts.map((text) => {
    const frame: unknown = JSON.parse(text)
    eveFrame.parse(frame)
    return frame as z.infer<typeof eveFrame>
  })
  const results = new Map(
    frames.flatMap((frame) => (frame.type === 'tool-result' ? [[frame.toolCallId, frame.result]] : [])),
  )
  return contentOf(
    frames.map((frame) => (frame.type === 'text-delta' ? frame.delta : '')),
    frames.map((frame) => (frame.type === 'reasoning-delta' ? frame.delta : '')),
    frames.flatMap((frame) => {
      if (frame.type !== 'tool-call') return []
      const words = results.get(frame.toolCallId)?.replace(/^Error: /, '')
      return [{ id: frame.toolCallId, tool: frame.toolName, input: frame.args, words }]
    }),
  )
}
