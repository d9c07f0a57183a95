import { Hono } from 'hono'
import { z } from 'zod'

import { describeRoute, type AppEnv, type Operation } from 'dragoman/agents'
import { ServiceError } from 'dragoman/errors'
import { readQuery } from 'dragoman/surfaces'
import { limitBodySize, validateBody, readJsonBody } from '@dragoman/agent-kit/json-body'
import { listQuery, memoryChangeBody, memoryPath, memoryShape, newMemoryBody } from './memory-request.ts'
import type { Memories } from './memory.ts'

const group = 'Memories'

const listOperation: Operation = {
  group,
  summary: 'List memories',
  description:
    'What the life agent remembers of its user, newest first. A page that is shorter than `limit` is the last.',
  query: listQuery,
  responses: {
    200: {
      description: 'A page of memories, and the number of all memories.',
      json: z.object({ memories: z.array(memoryShape), total: z.int() }),
    },
  },
  errors: ['not-found'],
}

const saveResult = z.object({
  memory: memoryShape,
  same: z.boolean().describe('Whether a memory with the same meaning existed and was updated.'),
  dropped: memoryShape
    .exactOptional()
    .describe('The memory that was deleted to make room: a user has at most 500.'),
})

const createOperation: Operation = {
  group,
  summary: 'Save a memory',
  description:
    'Passwords, keys, and numbers of cards and identity documents are refused. If memory is off in the profile, ' +
    'everything is refused.',
  body: newMemoryBody,
  responses: {
    200: { description: 'A memory with the same meaning was updated.', json: saveResult },
    201: { description: 'The memory is stored.', json: saveResult },
  },
  errors: ['forbidden', 'invalid-input', 'too-large'],
}

const changeOperation: Operation = {
  group,
  summary: 'Change a memory',
  description: 'Absent fields stay.',
  params: memoryPath,
  body: memoryChangeBody,
  responses: { 200: { description: 'The changed memory.', json: z.object({ memory: memoryShape }) } },
  errors: ['not-found', 'invalid-input', 'too-large'],
}

const removeOperation: Operation = {
  group,
  summary: 'Delete a memory',
  params: memoryPath,
  responses: { 200: { description: 'The memory is deleted.', json: z.object({ success: z.literal(true) }) } },
  errors: ['not-found'],
}

const removeAllOperation: Operation = {
  group,
  summary: 'Delete all memories',
  responses: {
    200: {
      description: 'The memories are deleted. `removed` is their number.',
      json: z.object({ success: z.literal(true), removed: z.int() }),
    },
  },
}

const MAX_BODY_BYTES = 64 * 1024

/** The HTTP routes of memories. */
export function memoriesRoutes(memories: Memories): Hono<AppEnv> {
  const small = limitBodySize(MAX_BODY_BYTES, 'A memory may have at most 64 KB')
  const routes = new Hono<AppEnv>()
    .get('/', describeRoute(listOperation), async (c) => {
      const userId = c.get('userId')
      const page = readQuery(c, listQuery)
      return c.json({ memories: await memories.list(userId, page), total: await memories.count(userId) })
    })
    .post('/', describeRoute(createOperation), small, async (c) => {
      const saved = await memories.save(c.get('userId'), await readJsonBody(c, newMemoryBody))
      return c.json(saved, saved.same ? 200 : 201)
    })
    .delete('/', describeRoute(removeAllOperation), async (c) =>
      c.json({ success: true, removed: await memories.removeAll(c.get('userId')) }),
    )
    .patch('/:id', describeRoute(changeOperation), small, async (c) => {
      const { id } = validateBody(memoryPath, c.req.param())
      return c.json({
        memory: await memories.change(c.get('userId'), id, await readJsonBody(c, memoryChangeBody)),
      })
    })
    .delete('/:id', describeRoute(removeOperation), async (c) => {
      const { id } = validateBody(memoryPath, c.req.param())
      if (!(await memories.remove(c.get('userId'), id))) {
        throw new ServiceError('not-found', `There is no memory ${id}.`)
      }
      return c.json({ success: true })
    })
  return new Hono<AppEnv>().route('/memories', routes)
}
