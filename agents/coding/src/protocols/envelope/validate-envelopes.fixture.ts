import { z } from 'zod'

import type { FrameValidator } from '../../../../../packages/dragoman/src/protocols/frame-validators.fixture.ts'
import type { Envelope, StreamMessage } from './wire.ts'

const call = z.object({ callId: z.string(), name: z.string(), args: z.json() })
const content = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['content', 'thinking']), value: z.string() }),
  z.object({ type: z.literal('tool_call_request'), value: call.strict() }),
  z.object({
    type: z.literal('tool_execution_start'),
    value: call.extend({ output: z.string().optional(), progress: z.json().optional() }).strict(),
  }),
  z.object({
    type: z.literal('tool_question'),
    value: call
      .extend({
        kind: z.enum(['approval', 'form', 'output']),
        message: z.string().optional(),
        schema: z.json().optional(),
        expiresAt: z.number().optional(),
        preview: z.looseObject({ format: z.enum(['text', 'diff']), text: z.string() }).optional(),
        answer: z.json().optional(),
      })
      .strict(),
  }),
  z.object({
    type: z.literal('tool_execution_complete'),
    value: z.strictObject({ toolCall: call.strict(), result: z.string(), data: z.json().optional() }),
  }),
  z.object({
    type: z.literal('tool_execution_error'),
    value: z.strictObject({ toolCall: call.strict(), error: z.string(), code: z.string() }),
  }),
  z.object({
    type: z.literal('file_references'),
    value: z.strictObject({ files: z.array(z.looseObject({ path: z.string(), size: z.number() })) }),
  }),
  z.object({
    type: z.literal('data'),
    value: z.strictObject({ name: z.string(), id: z.string().optional(), data: z.json() }),
  }),
  z.object({
    type: z.enum(['warning', 'error']),
    value: z.strictObject({ code: z.string(), message: z.string(), retryAfter: z.number().optional() }),
  }),
])
const message = z.intersection(
  content,
  z.object({ timestamp: z.int(), id: z.string(), status: z.enum(['generating', 'generated']) }),
)
const frame = z.strictObject({
  sessionId: z.string(),
  messageId: z.string(),
  msgStatus: z.enum(['generating', 'finished']),
  messages: z.array(message),
})

/** The frames that are envelopes: the legacy ones stand around them. */
export function envelopesOf(frames: readonly string[]): Envelope[] {
  return frames.flatMap((text) => {
    const read = JSON.parse(text) as Envelope
    if (!('messages' in read)) return []
    frame.parse(read)
    return [read]
  })
}

/** What each frame tells of a message: of a text, its next piece. */
export const validateEnvelopes: FrameValidator = (frames, whole) => {
  const previous = new Map<string, StreamMessage>()
  validateEnd(envelopesOf(frames), whole, ({ messageId, messages }) => {
    for (const each of messages) {
      const before = previous.get(each.id)
      if (!before && each.id !== `${messageId}-${previous.size}`)
        throw new Error(`${each.id} is not the next`)
      validateNext(each, before)
      previous.set(each.id, each)
    }
    return Array.from(previous.values())
  })
}

/** Each frame tells all of them, in their order, and no text becomes shorter. */
export const validateFullEnvelopes: FrameValidator = (frames, whole) => {
  let previous: readonly StreamMessage[] = []
  validateEnd(envelopesOf(frames), whole, ({ messageId, messages }) => {
    for (const [index, each] of messages.entries()) {
      if (each.id !== `${messageId}-${index}`) throw new Error(`${each.id} stands at ${index}`)
      const before = previous[index]
      validateNext(each, before?.status === 'generated' && sameWords(each, before) ? undefined : before)
      if (isText(before) && isText(each) && !each.value.startsWith(before.value))
        throw new Error(`${each.id} has lost words`)
    }
    if (messages.length < previous.length) throw new Error('messages are gone')
    previous = messages
    return previous
  })
}

/** A status only goes forward, only complete data may change, and a message keeps its type. */
function validateNext(next: StreamMessage, before: StreamMessage | undefined): void {
  if (!before) return
  if (before.type !== next.type) throw new Error(`${next.id} was a ${before.type}`)
  if (before.status === 'generated' && next.type !== 'data') throw new Error(`${next.id} was complete`)
  if (next.timestamp < before.timestamp) throw new Error(`${next.id} has become older`)
}

function validateEnd(
  envelopes: readonly Envelope[],
  whole: boolean,
  read: (envelope: Envelope) => readonly StreamMessage[],
): void {
  const at = envelopes.findIndex(({ msgStatus }) => msgStatus === 'finished')
  if (at !== (whole ? envelopes.length - 1 : -1))
    throw new Error(`the finished one stands at ${at} of ${envelopes.length}`)
  const all = envelopes.map(read).at(-1) ?? []
  const open = all.filter(({ status }) => status === 'generating')
  if (whole && open.length > 0) throw new Error(`left open: ${open.map(({ id }) => id).join(', ')}`)
}

function sameWords(one: StreamMessage, other: StreamMessage): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function isText(
  each: StreamMessage | undefined,
): each is Extract<StreamMessage, { type: 'content' | 'thinking' }> {
  return each?.type === 'content' || each?.type === 'thinking'
}
