import { Hono } from 'hono'
import type { z } from 'zod'

import { describeRoute } from '../../../agents/index.ts'
import { ServiceError } from '../../../errors.ts'
import { isLive } from '../../../events/index.ts'
import { parseBody, toPublicRun } from '../../../protocols/index.ts'
import { threadDefaults, type Thread } from '../../../threads/index.ts'
import { readJson, type HttpEnv } from '../../http/index.ts'
import type { V1Options } from './options.ts'
import * as operations from './thread-openapi.ts'
import { readQuery } from '../paging.ts'

/** Routes to open, list, show and delete threads. */
export function threadRoutes({ agentsFor, runs, threads, projector }: V1Options): Hono<HttpEnv> {
  const resolveAgentId = (name: string | undefined, userId: string): string => {
    const agents = agentsFor(userId)
    const agent = name ?? agents[0]
    if (agent !== undefined && agents.includes(agent)) return agent
    throw new ServiceError('invalid-request', `agent: must be one of ${agents.join(', ')}.`)
  }
  return new Hono<HttpEnv>()
    .post('/', describeRoute(operations.openThread), async (c) => {
      const { agent, name, title } = parseBody(operations.newThread, await readJson(c))
      const { thread: opened } = await threads.open({
        userId: c.get('userId'),
        agent: resolveAgentId(agent, c.get('userId')),
        ...(name !== undefined && { name }),
      })
      return c.json(toThread(title === undefined ? opened : await threads.change(opened, { title })), 201)
    })
    .get('/', describeRoute(operations.listThreads), async (c) => {
      await projector.catchUp(c.get('userId'))
      const { agent, archived, ...page } = readQuery(c, operations.threadsQuery)
      const filter = {
        ...page,
        archived: archived === 'true',
        ...(agent !== undefined && { agent: resolveAgentId(agent, c.get('userId')) }),
      }
      return c.json({ threads: (await threads.list(c.get('userId'), filter)).map(toThread) })
    })
    .get('/:id', describeRoute(operations.getThread), async (c) => {
      const { id } = await threads.get(c.get('userId'), c.req.param('id'))
      const latest = await runs.findCurrent(id)
      await projector.refresh(id)
      const thread = await threads.get(c.get('userId'), id)
      return c.json({ ...toThread(thread), live: latest && isLive(latest) ? toPublicRun(latest) : null })
    })
    .delete('/:id', describeRoute(operations.deleteThread), async (c) => {
      const thread = await threads.get(c.get('userId'), c.req.param('id'))
      await runs.forget(thread.id, c.get('userId'))
      await threads.remove(thread)
      // A message that arrived in between has started a run that no client can find.
      await runs.forget(thread.id, c.get('userId'))
      return c.body(null, 204)
    })
}

/** Routes to change and fork threads. */
export function threadChangeRoutes({
  threads,
  history,
  feedback,
  branches,
  forks,
  files,
  projector,
  requireModel,
}: V1Options): Hono<HttpEnv> {
  return new Hono<HttpEnv>()
    .patch('/:id', describeRoute(operations.changeThread), async (c) => {
      const thread = await threads.get(c.get('userId'), c.req.param('id'))
      const changes = parseBody(operations.change, await readJson(c))
      if (typeof changes.model === 'string')
        requireModel({ userId: c.get('userId'), agent: thread.agent, model: changes.model })
      // What has been said is in rows first: else it would take a thread out of the archive, and choose its
      // path, afterwards.
      await projector.upTo(thread.id)
      if (changes.chosen !== undefined) await branches.choose(thread.id, changes.chosen)
      const changed = await threads.change(thread, changes)
      if (changes.model === undefined) return c.json(toThread(changed))
      return c.json(toThread(await threads.amend(changed, withModel(changes.model))))
    })
    .put('/:id/messages/:message/feedback', describeRoute(operations.giveFeedback), async (c) => {
      const { id } = await threads.get(c.get('userId'), c.req.param('id'))
      const vote = parseBody(operations.newFeedback, await readJson(c))
      await projector.upTo(id)
      const message = (await history.find(id, c.req.param('message')))?.row.id
      await feedback.give(c.get('userId'), message ?? '', vote.feedback)
      return c.body(null, 204)
    })
    .post('/:id/fork', describeRoute(operations.forkThread), async (c) => {
      const { id } = await threads.get(c.get('userId'), c.req.param('id'))
      const from = parseBody(operations.newFork, await readJson(c))
      await projector.upTo(id)
      const thread = await threads.get(c.get('userId'), id)
      const fork = await forks.fork(c.get('userId'), thread, from)
      await files.share(thread.id, fork.id)
      return c.json(toThread(fork), 201)
    })
}

function withModel(model: string | null) {
  return (metadata: Thread['metadata']): Thread['metadata'] => {
    const { model: _, ...others } = metadata
    return model === null ? others : { ...others, model }
  }
}

/** Converts a thread to its JSON. */
export function toThread(thread: Thread): z.infer<typeof operations.threadShape> {
  const { id, agent, clientId, title, createdAt, updatedAt, archived, chosen, metadata } = thread
  return {
    id,
    agent,
    name: clientId ?? null,
    title: title ?? null,
    createdAt,
    updatedAt,
    archived,
    chosen: chosen ?? null,
    model: threadDefaults(thread).model ?? null,
    metadata,
  }
}
