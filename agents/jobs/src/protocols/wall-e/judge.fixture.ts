import { z } from 'zod'

import {
  begin,
  end,
  validateEnd,
  type FrameValidator,
} from '../../../../../packages/dragoman/src/protocols/frame-validators.fixture.ts'

const frameId = z.string().regex(/^evt_\S+_\d+_\d+$/)
const status = z.literal('running')
const progress = z
  .strictObject({ current: z.number(), total: z.number(), message: z.string() })
  .partial()
  .optional()

/** The events that the extension declares, with exactly these fields. */
const wallEFrame = z.discriminatedUnion('type', [
  z.strictObject({
    id: frameId,
    type: z.literal('message-start'),
    messageId: z.string().startsWith('msg_'),
    role: z.literal('assistant'),
    timestamp: z.iso.datetime(),
  }),
  z.strictObject({ id: frameId, type: z.literal('reasoning-start'), reasoningId: z.string() }),
  z.strictObject({
    id: frameId,
    type: z.literal('reasoning-delta'),
    reasoningId: z.string(),
    delta: z.string(),
  }),
  z.strictObject({
    id: frameId,
    type: z.literal('reasoning-end'),
    reasoningId: z.string(),
    content: z.string(),
  }),
  z.strictObject({ id: frameId, type: z.literal('text-start'), textId: z.string() }),
  z.strictObject({ id: frameId, type: z.literal('text-delta'), textId: z.string(), delta: z.string() }),
  z.strictObject({ id: frameId, type: z.literal('text-end'), textId: z.string(), content: z.string() }),
  z.strictObject({
    id: frameId,
    type: z.literal('tool-call-start'),
    toolCallId: z.string(),
    toolName: z.string(),
    arguments: z.json(),
  }),
  z.strictObject({
    id: frameId,
    type: z.literal('tool-call-delta'),
    toolCallId: z.string(),
    status,
    progress,
  }),
  z.strictObject({
    id: frameId,
    type: z.literal('tool-call-result'),
    toolCallId: z.string(),
    result: z.string(),
    isError: z.boolean(),
  }),
  z.strictObject({
    id: frameId,
    type: z.literal('error'),
    code: z.enum(['rate_limit', 'auth_error', 'agent_error', 'tool_error']),
    message: z.string(),
    retryAfter: z.number().optional(),
  }),
  z.strictObject({
    id: frameId,
    type: z.literal('message-end'),
    messageId: z.string(),
    finishReason: z.enum(['stop', 'tool-calls', 'length', 'content-filter', 'error']),
    usage: z.strictObject({ inputTokens: z.number(), outputTokens: z.number() }),
  }),
])

/**
 * Every frame has its own id; a part ends with all that its deltas said; results follow their calls; the end is last,
 * and else only comes where calls wait.
 */
export const wallEJudge: FrameValidator = (frames, whole) => {
  const open = new Set<string>()
  const ids = new Set<string>()
  const types: string[] = []
  let part: { id: string; content: string } | undefined
  for (const text of frames) {
    const frame = wallEFrame.parse(JSON.parse(text))
    if (ids.has(frame.id)) throw new Error(`${frame.id} comes twice`)
    ids.add(frame.id)
    const partId = 'textId' in frame ? frame.textId : 'reasoningId' in frame ? frame.reasoningId : undefined
    if (partId !== undefined) part = advance(part, partId, frame)
    if (frame.type === 'tool-call-start') begin(open, frame.toolCallId)
    if (frame.type === 'tool-call-result') end(open, frame.toolCallId)
    const pauses = frame.type === 'message-end' && frame.finishReason === 'tool-calls' && open.size > 0
    types.push(pauses ? 'pause' : frame.type === 'message-start' ? 'start' : frame.type)
  }
  if (part) open.add(part.id)
  validateEnd(types, { ends: ['message-end'], open, whole })
}

function advance(
  part: { id: string; content: string } | undefined,
  id: string,
  frame: z.infer<typeof wallEFrame>,
): { id: string; content: string } | undefined {
  if (frame.type.endsWith('-start')) {
    if (part) throw new Error(`${id} opens within ${part.id}`)
    return { id, content: '' }
  }
  if (part?.id !== id) throw new Error(`${id} is not open`)
  if ('delta' in frame) return { id, content: part.content + frame.delta }
  if ('content' in frame && frame.content !== part.content) throw new Error(`${id} ends with another text`)
  return undefined
}
