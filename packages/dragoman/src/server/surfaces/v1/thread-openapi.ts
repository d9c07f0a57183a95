import { z } from 'zod'

import { messageSchema, modelName, runSchema } from '../../../protocols/index.ts'
import type { Operation } from '../../../agents/index.ts'
import { pageQuery } from '../paging.ts'
import { EXAMPLE_AGENT } from '../reader-query.ts'

export const group = 'Threads and runs'
export const errors = ['not-found'] as const

export const params = z.object({
  id: z
    .string()
    .describe('Our id of the thread, or its client’s name for it.')
    .meta({ examples: ['my-thread'] }),
})
export const threadShape = z
  .object({
    id: z.string(),
    agent: z.string(),
    name: z.string().nullable().describe('The client’s own name for it.'),
    title: z.string().nullable(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    archived: z.boolean(),
    chosen: z
      .string()
      .nullable()
      .describe('The last message of its chosen path, once anything has been said.'),
    model: z.string().nullable().describe('The model that its runs use, in place of the agent’s.'),
    metadata: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'Thread' })

export const newThread = z
  .object({
    agent: z.string().optional().describe('The first one where none is named.'),
    name: z.string().min(1).max(200).optional().describe('A name that is known gives that thread.'),
    title: z.string().min(1).max(200).optional(),
  })
  .meta({ examples: [{ agent: EXAMPLE_AGENT, name: 'my-thread', title: 'Search' }] })

export const change = z
  .strictObject({
    title: z.string().min(1).max(200).optional(),
    archived: z.boolean('must be true or false').optional(),
    chosen: z
      .string()
      .optional()
      .describe(
        'A message, by its id or its run’s: the path through it becomes the thread’s, and goes on ' +
          'from there where it went last.',
      ),
    model: modelName.nullable().optional().describe('Of its next runs. null: the agent’s own.'),
  })
  .refine(
    (changes) => Object.values(changes).some((value) => value !== undefined),
    'title, archived, chosen or model is required',
  )
  .meta({ examples: [{ title: '找工作' }] })

export const newFeedback = z
  .object({ feedback: z.enum(['up', 'down'], 'must be up, down or null').nullable() })
  .meta({ examples: [{ feedback: 'up' }] })

export const newFork = z
  .object({
    messageId: z
      .string()
      .optional()
      .describe('The last message that is copied; where none is named, the last of the chosen path.'),
    title: z.string().min(1).max(200).optional(),
  })
  .meta({ examples: [{ title: 'Another way' }] })

export const threadsQuery = pageQuery({ usual: 50, most: 200 }).extend({
  agent: z.string().exactOptional(),
  archived: z
    .enum(['true', 'false'], 'must be true or false')
    .exactOptional()
    .describe('true: those that are archived, which are in no other list.'),
})
export const messagesQuery = pageQuery({ usual: 100, most: 500 })

export const openThread: Operation = {
  group,
  summary: 'Begin a thread',
  body: newThread,
  responses: { 201: { description: 'The thread, new or known.', json: threadShape } },
  errors: ['rate-limited'],
}

export const listThreads: Operation = {
  group,
  summary: 'List threads',
  description: 'The latest change first.',
  query: threadsQuery,
  responses: { 200: { description: 'A page of them.', json: z.object({ threads: z.array(threadShape) }) } },
}

export const getThread: Operation = {
  group,
  summary: 'Show a thread',
  params,
  responses: {
    200: {
      description: 'The thread, and the run that goes on in it.',
      json: threadShape.extend({ live: runSchema.nullable() }),
    },
  },
  errors,
}

export const changeThread: Operation = {
  group,
  summary: 'Name or archive a thread, choose its path and its model',
  description: 'An archived thread is as it was, but in no list; what is said in it takes it out again.',
  params,
  body: change,
  responses: { 200: { description: 'The thread.', json: threadShape } },
  errors,
}

export const forkThread: Operation = {
  group,
  summary: 'Fork a thread',
  description:
    'A new thread that begins with copies of the messages up to one. Runs and their logs are not copied.',
  params,
  body: newFork,
  responses: { 201: { description: 'The new thread.', json: threadShape } },
  errors: ['not-found', 'thread-busy'],
}

export const giveFeedback: Operation = {
  group,
  summary: 'Say what you think of an answer',
  description: 'Lists of messages show it as `feedback`; null takes it back.',
  params: params.extend({ message: z.string() }),
  body: newFeedback,
  responses: { 204: { description: 'It is stored.' } },
  errors,
}

export const deleteThread: Operation = {
  group,
  summary: 'Delete a thread',
  description: 'Stops what runs in it. Its messages, runs and logs are gone.',
  params,
  responses: { 204: { description: 'It is gone.' } },
  errors,
}

const placeShape = z.looseObject({
  siblings: z
    .array(z.string())
    .describe('The messages that stand in this place, itself among them, in the order in which they came.'),
  place: z.int().describe('Which of them it is, from 1.'),
})

export const listMessages: Operation = {
  group,
  summary: 'List a thread’s messages',
  description: 'The oldest first, along the chosen path.',
  params,
  query: messagesQuery,
  responses: {
    200: {
      description: 'A page of them.',
      json: z.object({
        messages: z.array(messageSchema.and(placeShape)),
        before: z.string().optional().describe('Where there are more: ask with it.'),
      }),
    },
  },
  errors,
}
