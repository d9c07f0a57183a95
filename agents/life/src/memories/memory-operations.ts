import { z } from 'zod'

import type { Operation } from 'dragoman/agents'
import { listQuery, memoryChangeBody, memoryPath, memoryShape, newMemoryBody } from './memory-request.ts'

const group = 'Memories'

export const list: Operation = {
  group,
  summary: 'List memories',
  description:
    'What the life agent remembers of its user, the newest first. A page that is shorter than `limit` is the last.',
  query: listQuery,
  responses: {
    200: {
      description: 'A page of them, and how many there are in all.',
      json: z.object({ memories: z.array(memoryShape), total: z.int() }),
    },
  },
  errors: ['not-found'],
}

const saved = z.object({
  memory: memoryShape,
  same: z.boolean().describe('One that says the same was there already, and was brought up to date.'),
  dropped: memoryShape.exactOptional().describe('Forgotten to make room: a user has 500 at most.'),
})

export const create: Operation = {
  group,
  summary: 'Have something remembered',
  description:
    'Passwords, keys, and numbers of cards and identity documents are refused. Where memory is switched off in the profile, all is.',
  body: newMemoryBody,
  responses: {
    200: { description: 'One that says the same was brought up to date.', json: saved },
    201: { description: 'It is kept.', json: saved },
  },
  errors: ['forbidden', 'invalid-input', 'too-large'],
}

export const change: Operation = {
  group,
  summary: 'Change a memory',
  description: 'What is absent stays.',
  params: memoryPath,
  body: memoryChangeBody,
  responses: { 200: { description: 'The memory as it is now.', json: z.object({ memory: memoryShape }) } },
  errors: ['not-found', 'invalid-input', 'too-large'],
}

export const remove: Operation = {
  group,
  summary: 'Forget a memory',
  description: 'It is really gone.',
  params: memoryPath,
  responses: { 200: { description: 'It is gone.', json: z.object({ success: z.literal(true) }) } },
  errors: ['not-found'],
}

export const removeAll: Operation = {
  group,
  summary: 'Forget all memories',
  responses: {
    200: {
      description: 'They are gone; `removed` says how many there were.',
      json: z.object({ success: z.literal(true), removed: z.int() }),
    },
  },
}
