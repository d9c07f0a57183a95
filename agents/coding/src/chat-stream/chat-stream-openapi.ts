import { z } from 'zod'

import type { Operation } from 'dragoman/agents'
import { envelope } from '../protocols/envelope/index.ts'
import {
  afterQuery,
  cursorHeader,
  disconnectQuery,
  protocolHeader,
  idempotencyHeader,
  pageQuery,
  readerQuery,
  streamAnswer,
  type Protocols,
} from 'dragoman/surfaces'

export const group = 'Chat stream'
const ownProtocol: Protocols = new Map([[envelope.name, envelope]])

const flag = z.enum(['true', 'false']).optional()

const modes = {
  responseMode: z
    .enum(['incremental', 'full'])
    .optional()
    .describe('In place of what the request asked for.'),
  legacyEvents: flag.describe('true: with the frames round the envelopes that older clients wait for.'),
  showThinking: flag.describe('true: with what the model thinks, as messages of type thinking.'),
  ids: z
    .literal('1')
    .optional()
    .describe('Numbers the events, so that a reader can come back to where it was.'),
}

/** The model that a request names. */
export const modelBody = z.object({ model: z.string().max(200).nullish() })

export const sessionId = z
  .string('sessionId is required')
  .min(1, 'sessionId is required')
  .max(200)
  .describe('Ours, or the client’s own name for it.')

const requestId = z.string().min(1).max(300).describe('As x-request-id said it.')
const messageId = z
  .string()
  .min(1)
  .max(200)
  .describe('The client’s own, in the session if one is named, else where it was said last; or ours.')

const names = {
  sessionId: sessionId.optional().describe('Its last request. With a messageId: where that was said.'),
  messageId: messageId.optional(),
  requestId: requestId.optional(),
}

export const namesQuery = z.object(names)
export const cancelBody = z.object(names).meta({
  description: 'One of the three, or a message in its session.',
  examples: [{ sessionId: 'my-session' }],
})

export const historyBody = z
  .object({
    sessionId,
    limit: pageQuery({ usual: 50, most: 200 }).shape.limit,
    offset: z.int('must be a whole number').min(0).default(0),
  })
  .meta({ examples: [{ sessionId: 'my-session', limit: 20, offset: 0 }] })

const call = z.object({ callId: z.string(), name: z.string(), args: z.unknown() })
const toolCall = z.discriminatedUnion('status', [
  call.extend({ status: z.literal('completed'), result: z.string().describe('As the model has read it.') }),
  call.extend({ status: z.literal('failed'), error: z.string(), code: z.string() }),
  call.extend({ status: z.enum(['pending', 'running']) }),
])

export const historyMessage = z
  .object({
    messageId: z.string().describe('The client’s own, where it gave one.'),
    role: z.enum(['user', 'assistant']),
    content: z.string(),
    timestamp: z.number().describe('Ms since 1970.'),
    status: z
      .enum(['generating', 'waiting', 'finished', 'failed', 'cancelled'])
      .optional()
      .describe('Of an answer.'),
    toolCalls: z.array(toolCall).optional(),
    error: z.object({ code: z.string(), message: z.string() }).optional(),
  })
  .meta({ id: 'ChatStreamMessage' })

export const ask: Operation = {
  group,
  summary: 'Ask in a session',
  description:
    'Begins the session where its name is new. The same messageId again is the same answer, from its ' +
    'start. Leaving does not stop the answer.',
  query: z.object({ ...modes, ...disconnectQuery }),
  headers: z.object(idempotencyHeader),
  body: envelope.body,
  responses: {
    200: {
      ...streamAnswer(ownProtocol),
      headers: {
        ...streamAnswer(ownProtocol).headers,
        'x-request-id': 'The requestId: to come back, or to cancel.',
        'x-session-created': 'true where the session has begun with this request.',
      },
    },
  },
  errors: ['forbidden', 'not-found', 'thread-busy', 'key-reused', 'unavailable'],
}

export function resume(protocols: Protocols): Operation {
  return {
    group,
    summary: 'Come back to an answer',
    description:
      'From its start, or after a cursor, in either mode. By a session’s name alone: 204 where nothing runs there.',
    query: readerQuery(protocols).extend({
      ...modes,
      ...names,
      ...afterQuery,
      sessionId: names.sessionId.meta({ examples: ['my-session'] }),
    }),
    headers: z.object({ ...cursorHeader, ...protocolHeader(protocols) }),
    responses: {
      200: streamAnswer(protocols),
      204: { description: 'Nothing runs, or there is nothing more.' },
    },
    errors: ['not-found', 'cursor-ahead', 'cursor-unknown', 'log-pruned'],
  }
}

export const cancel: Operation = {
  group,
  summary: 'Cancel a request',
  description: 'Answers once it has ended. What was said is kept.',
  body: cancelBody,
  responses: {
    200: {
      description: 'Whether there was something to cancel.',
      json: z.object({ success: z.boolean(), requestId: z.string().nullable() }),
    },
  },
  errors: ['not-found'],
}

export const history: Operation = {
  group,
  summary: 'Show what was said in a session',
  description: 'The oldest first, along the chosen path; what is being said is in it as far as it has come.',
  body: historyBody,
  responses: {
    200: {
      description: 'So many messages, from one place on.',
      json: z.object({
        history: z.array(historyMessage),
        total: z.int().describe('How many there are in all.'),
        limit: z.int(),
        offset: z.int(),
      }),
    },
  },
  errors: ['not-found'],
}
