import { Hono } from 'hono'

import { describeRoute, type AppEnv } from 'dragoman/agents'
import { ServiceError } from 'dragoman/errors'
import { limitBodySize, validateBody, readJsonBody } from '@dragoman/agent-kit/json-body'
import { listQuery, memoryChangeBody, memoryPath, newMemoryBody } from './memory-request.ts'
import type { Memories } from './memory.ts'
import * as operations from './memory-operations.ts'

const MAX_BODY_BYTES = 64 * 1024

/** The REST routes of the memories. */
export function memoriesRoutes(memories: Memories): Hono<AppEnv> {
  const small = limitBodySize(MAX_BODY_BYTES, 'A memory may have at most 64 KB')
  const routes = new Hono<AppEnv>()
    .get('/', describeRoute(operations.list), async (c) => {
      const userId = c.get('userId')
      const page = validateBody(listQuery, c.req.query())
      return c.json({ memories: await memories.list(userId, page), total: await memories.count(userId) })
    })
    .post('/', describeRoute(operations.create), small, async (c) => {
      const saved = await memories.save(c.get('userId'), await readJsonBody(c, newMemoryBody))
      return c.json(saved, saved.same ? 200 : 201)
    })
    .delete('/', describeRoute(operations.removeAll), async (c) =>
      c.json({ success: true, removed: await memories.removeAll(c.get('userId')) }),
    )
    .patch('/:id', describeRoute(operations.change), small, async (c) => {
      const { id } = validateBody(memoryPath, c.req.param())
      return c.json({
        memory: await memories.change(c.get('userId'), id, await readJsonBody(c, memoryChangeBody)),
      })
    })
    .delete('/:id', describeRoute(operations.remove), async (c) => {
      const { id } = validateBody(memoryPath, c.req.param())
      if (!(await memories.remove(c.get('userId'), id))) {
        throw new ServiceError('not-found', `There is no memory ${id}.`)
      }
      return c.json({ success: true })
    })
  return new Hono<AppEnv>().route('/memories', routes)
}
