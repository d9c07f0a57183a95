import { z } from 'zod'

import { messageShape, runShape } from '../protocols/index.ts'
import type { Operation } from '../agent/index.ts'
import { pageQuery } from './paging.ts'

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
    metadata: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'Thread' })

export const newThread = z
  .object({
    agent: z.string().optional().describe('The first one where none is named.'),
    name: z.string().min(1).max(200).optional().describe('A name that is known gives that thread.'),
    title: z.string().min(1).max(200).optional(),
  })
  .meta({ examples: [{ agent: 'jobs', name: 'my-thread', title: 'Search' }] })

export const change = z
  .object({ title: z.string('title is required').min(1).max(200) })
  .meta({ examples: [{ title: '找工作' }] })

export const threadsQuery = pageQuery({ usual: 50, most: 200 }).extend({ agent: z.string().exactOptional() })
export const messagesQuery = pageQuery({ usual: 100, most: 500 })

export const openThread: Operation = {
  group,
  summary: 'Begin a thread',
  body: newThread,
  answers: { 201: { description: 'The thread, new or known.', json: threadShape } },
}

export const listThreads: Operation = {
  group,
  summary: 'List threads',
  description: 'The latest change first.',
  query: threadsQuery,
  answers: { 200: { description: 'A page of them.', json: z.object({ threads: z.array(threadShape) }) } },
}

export const getThread: Operation = {
  group,
  summary: 'Show a thread',
  params,
  answers: {
    200: {
      description: 'The thread, and the run that goes on in it.',
      json: threadShape.extend({ live: runShape.nullable() }),
    },
  },
  errors,
}

export const renameThread: Operation = {
  group,
  summary: 'Name a thread',
  params,
  body: change,
  answers: { 200: { description: 'The thread.', json: threadShape } },
  errors,
}

export const deleteThread: Operation = {
  group,
  summary: 'Delete a thread',
  description: 'Stops what runs in it. Its messages, runs and logs are gone.',
  params,
  answers: { 204: { description: 'It is gone.' } },
  errors,
}

export const listMessages: Operation = {
  group,
  summary: 'List a thread’s messages',
  description: 'The oldest first, on the latest branch.',
  params,
  query: messagesQuery,
  answers: {
    200: {
      description: 'A page of them.',
      json: z.object({
        messages: z.array(messageShape),
        before: z.string().optional().describe('Where there are more: ask with it.'),
      }),
    },
  },
  errors,
}
