import { z } from 'zod'

import { anyJson, parseBody } from 'dragoman/protocols'
import { limitJsonDepth } from 'dragoman/fan-out'
import { createJsonValueCounter, limitChatValues, MAX_CHAT_VALUES } from 'dragoman/http'
import { ServiceError } from 'dragoman/errors'
import type { Json } from 'dragoman/events'

const requestId = z.string().min(1).max(200)
const headers = z.record(z.string().max(200), z.string().max(4000)).default({})
const body = z.record(z.string(), anyJson).default({})

/** The messages of AI SDK's `WebSocketChatTransport`. */
const frameSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('send'),
    requestId,
    id: z.string().min(1),
    trigger: z.enum(['submit-message', 'regenerate-message']).default('submit-message'),
    messageId: z.string().optional(),
    messages: z.array(anyJson),
    headers,
    body,
  }),
  z.object({
    type: z.literal('resume'),
    requestId,
    id: z.string().min(1),
    lastSequence: z.number().optional(),
  }),
  z.object({ type: z.literal('abort'), requestId }),
])
export type ChatFrame = z.infer<typeof frameSchema>
export type SendFrame = Extract<ChatFrame, { type: 'send' }>
export type ResumeFrame = Extract<ChatFrame, { type: 'resume' }>

/** Parses the JSON of a message. @throws ServiceError `invalid-request` */
export function parseJson(message: Buffer): Json {
  const values = createJsonValueCounter(Infinity, MAX_CHAT_VALUES)(message)
  const newest = limitChatValues(message, values)
  try {
    return limitJsonDepth(JSON.parse(newest.toString()) as Json)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new ServiceError('invalid-request', 'The message is not JSON.')
  }
}

/** @throws ServiceError `invalid-request`, naming the field */
export function parseFrame(json: Json): ChatFrame {
  const frame = parseBody(frameSchema, json)
  if (frame.type !== 'resume' || frame.lastSequence === undefined) return frame
  // An answer to a question begins in the middle of a message, so its chunks have other numbers than the message's.
  throw new ServiceError('invalid-request', 'lastSequence: leave it out. The message is sent from its start.')
}

/** The request that a message belongs to, if it can be read. */
export function requestIdIn(json: Json): string | undefined {
  return z.object({ requestId }).safeParse(json).data?.requestId
}
