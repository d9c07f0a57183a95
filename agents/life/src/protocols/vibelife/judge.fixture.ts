import { z } from 'zod'

import type { FrameValidator } from '../../../../../packages/dragoman/src/protocols/frame-validators.fixture.ts'

const fields = z.record(z.string(), z.json())
/** The frames that the surface documents, with exactly these fields. */
export const vibelifeFrame = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('text-delta'),
    id: z.string().startsWith('msg_'),
    delta: z.string().min(1),
  }),
  z.strictObject({
    type: z.literal('tool-call'),
    toolCallId: z.string(),
    toolName: z.string(),
    args: fields,
  }),
  z.strictObject({ type: z.literal('tool-result'), toolCallId: z.string(), result: fields }),
  z.strictObject({ type: z.literal('error'), error: z.string(), code: z.string() }),
  z.strictObject({
    type: z.literal('finish'),
    finishReason: z.enum(['stop', 'tool-calls', 'length', 'content-filter', 'error']),
  }),
])

/**
 * All words are of one message; results follow their calls, once each; an error comes right before the end; the finish
 * is last, and else only comes where calls wait.
 */
export const vibelifeJudge: FrameValidator = (frames, whole) => {
  const open = new Set<string>()
  const ids = new Set<string>()
  let isOver = false
  let hasFailed = false
  for (const text of frames) {
    const frame = vibelifeFrame.parse(JSON.parse(text))
    if (isOver) throw new Error(`${frame.type} after the end`)
    if (hasFailed && !(frame.type === 'finish' && frame.finishReason === 'error'))
      throw new Error(`${frame.type} after an error`)
    hasFailed = frame.type === 'error'
    if (frame.type === 'text-delta') ids.add(frame.id)
    if (frame.type === 'tool-call' && open.size === open.add(frame.toolCallId).size)
      throw new Error(`${frame.toolCallId} is called twice`)
    if (frame.type === 'tool-result' && !open.delete(frame.toolCallId))
      throw new Error(`${frame.toolCallId} is not open`)
    if (frame.type === 'finish') isOver = frame.finishReason !== 'tool-calls' || open.size === 0
  }
  if (ids.size > 1) throw new Error(`words of several messages: ${[...ids].join(', ')}`)
  if (isOver !== whole) throw new Error(isOver ? 'it has ended' : 'the end is missing')
  if (whole && open.size > 0) throw new Error(`left open: ${[...open].join(', ')}`)
}
