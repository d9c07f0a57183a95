import { z } from 'zod'

import type { Operation } from '../../../agents/index.ts'
import type { Protocols } from '../select-protocol.ts'
import { disconnectQuery } from '../ends-with-caller.ts'
import { pageQuery } from '../paging.ts'
import {
  afterQuery,
  startIndexQuery,
  cursorHeader,
  protocolHeader,
  idempotencyHeader,
  profile,
  readerQuery,
  streamAnswer,
  wholeAnswer,
} from '../reader-query.ts'

const group = 'Chat'

export const stopBody = z
  .object({
    messageId: z.string().nullish().describe('The message that is being written.'),
    runId: z.string().nullish(),
    conversationId: z
      .string()
      .nullish()
      .describe('Ours or the client’s name: the run that goes on in the conversation.'),
    key: z.string().nullish().describe('The Idempotency-Key with which it was asked for.'),
  })
  .meta({ description: 'One of the four.', examples: [{ conversationId: 'my-search' }] })

export const historyQuery = pageQuery({ usual: 100, most: 500 }).extend({
  conversationId: z
    .string('conversationId is required')
    .min(1, 'conversationId is required')
    .describe('Our id, or the client’s name for it.')
    .meta({ examples: ['my-search'] }),
  format: z
    .literal('ui', 'must be "ui", or not be there.')
    .optional()
    .describe('ui: the messages as useChat keeps them.'),
  profile,
})

export const conversationsQuery = pageQuery({ usual: 50, most: 200 })

export const conversationShape = z
  .object({
    id: z.string(),
    agentId: z.string(),
    clientId: z.string().nullable().describe('The client’s own name for it.'),
    title: z.string().nullable(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    metadata: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'Conversation' })

export const messageRowShape = z
  .object({
    id: z.string(),
    conversationId: z.string(),
    role: z.string(),
    content: z.string(),
    reasoning: z.string().nullable(),
    toolCalls: z.unknown(),
    timestamp: z.string(),
    finishReason: z.string().nullable().describe('incomplete while it is being written.'),
    usage: z.object({ promptTokens: z.number(), completionTokens: z.number() }).nullable(),
    createdAt: z.string(),
    metadata: z.object({ aborted: z.literal(true) }).exactOptional(),
  })
  .meta({ id: 'ConversationMessage' })

const uiMessageShape = z
  .looseObject({ id: z.string(), role: z.string(), parts: z.array(z.looseObject({ type: z.string() })) })
  .meta({ id: 'UiMessage', description: 'A message as useChat keeps it.' })

const historyShape = z.object({
  conversation: conversationShape.nullable().describe('null where it is not known.'),
  messages: z
    .union([z.array(messageRowShape), z.array(uiMessageShape)])
    .describe('The oldest first, on the latest branch.'),
  before: z.string().optional().describe('Where there are more: ask with it.'),
  live: z
    .object({
      runId: z.string(),
      messageId: z.string(),
      cursor: z.string().describe('What the history has of it: ask for what follows with it.'),
      status: z.enum(['running', 'waiting']),
      resume: z.string().optional().describe('Where it is told whole, also when it ends meanwhile.'),
    })
    .optional()
    .describe('The answer that is being written, or waits.'),
})

export function ask(protocols: Protocols): Operation {
  return {
    group,
    summary: 'Ask the agent',
    description:
      'The dialect is the one that is named (protocol, x-protocol, options.protocol), else the one ' +
      'that the body’s shape tells.',
    query: readerQuery(protocols).extend(disconnectQuery),
    headers: z.object({ ...protocolHeader(protocols), ...idempotencyHeader }),
    body: z.union(Array.from(protocols.values(), ({ body }) => body)),
    responses: { 200: wholeAnswer(protocols) },
    errors: ['not-found', 'thread-busy', 'key-reused'],
  }
}

export const stop: Operation = {
  group,
  summary: 'Stop an answer',
  description: 'Answers once the run has ended. What was said is kept.',
  body: stopBody,
  responses: {
    200: {
      description: 'Whether there was something to stop.',
      json: z.object({ stopped: z.boolean() }),
    },
  },
}

export const history: Operation = {
  group,
  summary: 'Show a conversation',
  query: historyQuery,
  responses: { 200: { description: 'The conversation and its messages.', json: historyShape } },
}

export const listConversations: Operation = {
  group,
  summary: 'List conversations',
  description: 'The latest change first.',
  query: conversationsQuery,
  responses: {
    200: { description: 'A page of them.', json: z.object({ conversations: z.array(conversationShape) }) },
  },
}

export function comeBack(protocols: Protocols): Operation {
  return {
    group,
    summary: 'Come back to an answer',
    description:
      'From the start, or after a cursor. 204 where nothing runs, and for the end of a run that ' +
      'has ended. Without a cursor it speaks ui-message-stream.',
    params: z.object({
      name: z
        .string()
        .describe('A conversation (our id, or the client’s name), a run or a message.')
        .meta({ examples: ['my-search'] }),
    }),
    query: readerQuery(protocols).extend({ ...afterQuery, ...startIndexQuery }),
    headers: z.object({ ...cursorHeader, ...protocolHeader(protocols) }),
    responses: {
      200: streamAnswer(protocols),
      204: { description: 'Nothing runs, or there is nothing more.' },
    },
    errors: ['not-found', 'cursor-ahead', 'cursor-unknown', 'log-pruned'],
  }
}

export function comeBackByChat(protocols: Protocols): Operation {
  return {
    group,
    summary: 'Come back to an answer, as AI SDK 4 asks',
    description: 'Whole, from its start. An empty body where nothing runs.',
    query: readerQuery(protocols).extend({
      chatId: z
        .string('chatId is required')
        .min(1, 'chatId is required')
        .describe('The conversation, by our id or the client’s name.')
        .meta({ examples: ['my-chat-of-v4'] }),
    }),
    headers: z.object(protocolHeader(protocols)),
    responses: { 200: streamAnswer(protocols), 204: { description: 'Nothing runs, in any other dialect.' } },
    errors: ['not-found'],
  }
}
