import { Hono } from 'hono'
import type { z } from 'zod'

import { described } from '../agent/index.ts'
import { ServiceError } from '../errors.ts'
import { isLive, type Message } from '../events/index.ts'
import { native, readBody, toMessage, toRun } from '../protocols/index.ts'
import type { Thread } from '../threads/index.ts'
import { readJson, type HttpEnv } from '../transports/index.ts'
import type { Conversations } from './conversations.ts'
import { namedProtocol } from './dialect.ts'
import * as operations from './native-operations.ts'
import { readQuery } from './paging.ts'
import { cursorFrom } from './replies.ts'

export type NativeOptions = Conversations & {
  /** Ids of the agents; the first is meant where none is named. */
  readonly agents: readonly string[]
}

/** Our own API: threads, their messages and runs, and any run in any protocol. */
export function nativeApi(options: NativeOptions): Hono<HttpEnv> {
  const { runs, replies, dialects } = options
  return new Hono<HttpEnv>()
    .route('/threads', threadRoutes(options))
    .route('/threads', talkRoutes(options))
    .get('/runs/:id', described(operations.getRun), async (c) => {
      const run = await runs.get(c.get('userId'), c.req.param('id'))
      return c.json({ run: toRun(run), message: toMessage(await runs.soFar(run)) })
    })
    .get('/runs/:id/events', described(operations.readRun(dialects)), async (c) => {
      const run = await runs.get(c.get('userId'), c.req.param('id'))
      return replies.stream(c, run, { protocol: namedProtocol(c, dialects) ?? native, after: cursorFrom(c) })
    })
    .post('/runs/:id/stop', described(operations.stopRun), async (c) => {
      const run = await runs.get(c.get('userId'), c.req.param('id'))
      return c.json({ stopped: await runs.stop(run, c.get('userId')), runId: run.id })
    })
}

function threadRoutes({ agents, runs, threads, projector }: NativeOptions): Hono<HttpEnv> {
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

/** What is said in a thread. */
function talkRoutes({ dialects, runs, threads, history, projector, replies }: NativeOptions): Hono<HttpEnv> {
  return new Hono<HttpEnv>()
    .get('/:id/messages', described(operations.listMessages), async (c) => {
      const thread = await threads.get(c.get('userId'), c.req.param('id'))
      const page = readQuery(c, operations.messagesQuery)
      await projector.upTo(thread.id)
      const stored = await history.path(thread.id, page)
      const oldest = stored[0]?.row
      const more = stored.length === page.limit && oldest?.parent_id ? { before: oldest.id } : {}
      return c.json({ messages: stored.map(({ message }) => shown(message)), ...more })
    })
    .post('/:id/runs', described(operations.startRun(dialects)), async (c) => {
      const thread = await threads.get(c.get('userId'), c.req.param('id'))
      const body = await readJson(c)
      readBody(operations.policy, body)
      const protocol = namedProtocol(c, dialects) ?? native
      const { stream, view, ...request } = native.parse(body)
      if (request.agent !== undefined && request.agent !== thread.agent) {
        throw new ServiceError('invalid-request', `agent: this thread is one of ${thread.agent}.`)
      }
      const reply = { protocol: protocol.name, view: protocol.view(view, c.req.query()) }
      const run = await runs.start({
        ...request,
        userId: c.get('userId'),
        agent: thread.agent,
        thread: thread.id,
        reply,
      })
      return stream ? replies.stream(c, run, { protocol }) : replies.whole(c, run, protocol)
    })
}

function toThread(thread: Thread): z.infer<typeof operations.threadShape> {
  const { id, agent, clientId, title, createdAt, updatedAt, metadata } = thread
  return { id, agent, name: clientId ?? null, title: title ?? null, createdAt, updatedAt, metadata }
}

function shown(message: Message) {
  return message.role === 'user' ? message : toMessage(message)
}
