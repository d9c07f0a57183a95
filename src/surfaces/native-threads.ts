import { Hono } from 'hono'
import type { z } from 'zod'

import { described } from '../agent/index.ts'
import { ServiceError } from '../errors.ts'
import { isLive } from '../events/index.ts'
import { readBody, toRun } from '../protocols/index.ts'
import type { Thread } from '../threads/index.ts'
import { readJson, type HttpEnv } from '../transports/index.ts'
import type { NativeOptions } from './native.ts'
import * as operations from './native-thread-operations.ts'
import { readQuery } from './paging.ts'

/** Threads: to open, list, name and remove them. */
export function threadRoutes({ agents, runs, threads, projector }: NativeOptions): Hono<HttpEnv> {
  const agentOf = (name: string | undefined): string => {
    const agent = name ?? agents[0]
    if (agent !== undefined && agents.includes(agent)) return agent
    throw new ServiceError('invalid-request', `agent: must be one of ${agents.join(', ')}.`)
  }
  return new Hono<HttpEnv>()
    .post('/', described(operations.openThread), async (c) => {
      const { agent, name, title } = readBody(operations.newThread, await readJson(c))
      const { thread: opened } = await threads.open({
        userId: c.get('userId'),
        agent: agentOf(agent),
        ...(name !== undefined && { name }),
      })
      return c.json(toThread(title === undefined ? opened : await threads.rename(opened, title)), 201)
    })
    .get('/', described(operations.listThreads), async (c) => {
      await projector.catchUp()
      const { agent, ...page } = readQuery(c, operations.threadsQuery)
      const which = { ...page, ...(agent !== undefined && { agent: agentOf(agent) }) }
      return c.json({ threads: (await threads.list(c.get('userId'), which)).map(toThread) })
    })
    .get('/:id', described(operations.getThread), async (c) => {
      const thread = await threads.get(c.get('userId'), c.req.param('id'))
      const latest = await runs.latest(thread.id)
      return c.json({ ...toThread(thread), live: latest && isLive(latest) ? toRun(latest) : null })
    })
    .patch('/:id', described(operations.renameThread), async (c) => {
      const thread = await threads.get(c.get('userId'), c.req.param('id'))
      return c.json(
        toThread(await threads.rename(thread, readBody(operations.change, await readJson(c)).title)),
      )
    })
    .delete('/:id', described(operations.deleteThread), async (c) => {
      const thread = await threads.get(c.get('userId'), c.req.param('id'))
      await runs.forget(thread.id, c.get('userId'))
      await threads.remove(thread)
      return c.body(null, 204)
    })
}

function toThread(thread: Thread): z.infer<typeof operations.threadShape> {
  const { id, agent, clientId, title, createdAt, updatedAt, metadata } = thread
  return { id, agent, name: clientId ?? null, title: title ?? null, createdAt, updatedAt, metadata }
}
