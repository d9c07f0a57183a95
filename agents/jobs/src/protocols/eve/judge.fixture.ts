import { z } from 'zod'

import {
  begin,
  end,
  validateEnd,
  type FrameValidator,
} from '../../../../../packages/dragoman/src/protocols/frame-validators.fixture.ts'

/** The frames that the surface documents, with exactly these fields. */
const blockId = (kind: string) => z.string().regex(new RegExp(`^${kind}_[\\w-]{8}$`))
export const eveFrame = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('start'), messageId: z.string().startsWith('msg_') }),
  z.strictObject({ type: z.literal('reasoning-start'), id: blockId('reasoning') }),
  z.strictObject({ type: z.literal('reasoning-delta'), id: blockId('reasoning'), delta: z.string() }),
  z.strictObject({ type: z.literal('reasoning-end'), id: blockId('reasoning') }),
  z.strictObject({ type: z.literal('text-start'), id: blockId('text') }),
  z.strictObject({ type: z.literal('text-delta'), id: blockId('text'), delta: z.string() }),
  z.strictObject({ type: z.literal('text-end'), id: blockId('text') }),
  z.strictObject({
    type: z.literal('tool-call'),
    toolCallId: z.string(),
    toolName: z.string(),
    args: z.json(),
  }),
  z.strictObject({
    type: z.literal('tool-call-delta'),
    toolCallId: z.string(),
    status: z.literal('running'),
    progress: z
      .strictObject({ current: z.number(), total: z.number(), message: z.string() })
      .partial()
      .optional(),
  }),
  z.strictObject({ type: z.literal('tool-result'), toolCallId: z.string(), result: z.string() }),
  z.strictObject({
    type: z.literal('error'),
    error: z.string(),
    code: z.enum(['rate_limit', 'auth_error', 'agent_error', 'tool_error']),
    retryAfter: z.number().optional(),
  }),
  z.strictObject({
    type: z.literal('finish'),
    finishReason: z.enum(['stop', 'tool-calls', 'length', 'content-filter', 'error']),
    usage: z.strictObject({ promptTokens: z.number(), completionTokens: z.number() }),
  }),
])

/**
 * Blocks are opened, filled and closed, one at a time; results follow their calls; the finish is last, and else only
 * comes where calls wait.
 */
export const eveJudge: FrameValidator = (frames, whole) => {
  const open = new Set<string>()
  const types: string[] = []
  let block: string | undefined
  for (const text of frames) {
    const frame = eveFrame.parse(JSON.parse(text))
    if (frame.type === 'text-start' || frame.type === 'reasoning-start') {
      if (block !== undefined) throw new Error(`${frame.id} opens within ${block}`)
      block = frame.id
    } else if ('id' in frame) {
      if (block !== frame.id) throw new Error(`${frame.id} is not open`)
      if (frame.type.endsWith('-end')) block = undefined
    }
    if (frame.type === 'tool-call') begin(open, frame.toolCallId)
    if (frame.type === 'tool-result') end(open, frame.toolCallId)
    const pauses = frame.type === 'finish' && frame.finishReason === 'tool-calls' && open.size > 0
    types.push(pauses ? 'pause' : frame.type)
  }
  if (block !== undefined) open.add(block)
  validateEnd(types, { ends: ['finish'], open, whole })
}
