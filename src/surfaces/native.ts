import { Hono } from 'hono'
import { z } from 'zod'

import { ServiceError } from '../errors.ts'
import { isLive, type Message } from '../events/index.ts'
import { native, readBody, toMessage, toRun } from '../protocols/index.ts'
import type { Thread } from '../threads/index.ts'
import { readJson, type HttpEnv } from '../transports/index.ts'
import type { Conversations } from './conversations.ts'
import { namedProtocol } from './dialect.ts'
import { pageOf } from './paging.ts'
import { cursorFrom } from './replies.ts'

export type NativeOptions = Conversations & {
  /** Ids of the agents; the first is meant where none is named. */
  readonly agents: readonly string[]
}

const newThread = z.object({
  agent: z.string().optional(),
  name: z.string().min(1).max(200).optional(),
  title: z.string().min(1).max(200).optional(),
})
const change = z.object({ title: z.string('title is required').min(1).max(200) })
const policy = z.object({
  policy: z.literal('reject', 'only "reject" is offered').optional(),
  replaces: z.undefined('is not offered yet').optional(),
})

/** Our own API: threads, their messages and runs, and any run in any protocol. */
export function nativeApi(options: NativeOptions): Hono<HttpEnv> {
  const { runs, replies, dialects } = options
  return new Hono<HttpEnv>()
    .route('/threads', threadRoutes(options))
    .route('/threads', talkRoutes(options))
    .get('/runs/:id', async (c) => {
      const run = await runs.get(c.get('userId'), c.req.param('id'))
      return c.json({ run: toRun(run), message: toMessage(await runs.soFar(run)) })
    })
    .get('/runs/:id/events', async (c) => {
      const run = await runs.get(c.get('userId'), c.req.param('id'))
      return replies.stream(c, run, { protocol: namedProtocol(c, dialects) ?? native, after: cursorFrom(c) })
    })
    .post('/runs/:id/stop', async (c) => {
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
    .post('/', async (c) => {
      const { agent, name, title } = readBody(newThread, await readJson(c))
      const { thread: opened } = await threads.open({
        userId: c.get('userId'),
        agent: agentOf(agent),
        ...(name !== undefined && { name }),
      })
      return c.json(toThread(title === undefined ? opened : await threads.rename(opened, title)), 201)
    })
    .get('/', async (c) => {
      await projector.catchUp()
      const agent = c.req.query('agent')
      const page = {
        ...pageOf(c, { usual: 50, most: 200 }),
        ...(agent !== undefined && { agent: agentOf(agent) }),
      }
      return c.json({ threads: (await threads.list(c.get('userId'), page)).map(toThread) })
    })
    .get('/:id', async (c) => {
      const thread = await threads.get(c.get('userId'), c.req.param('id'))
      const latest = await runs.latest(thread.id)
      return c.json({ ...toThread(thread), live: latest && isLive(latest) ? toRun(latest) : null })
    })
    .patch('/:id', async (c) => {
      const thread = await threads.get(c.get('userId'), c.req.param('id'))
      return c.json(toThread(await threads.rename(thread, readBody(change, await readJson(c)).title)))
    })
    .delete('/:id', async (c) => {
      const thread = await threads.get(c.get('userId'), c.req.param('id'))
      await runs.forget(thread.id, c.get('userId'))
      await threads.remove(thread)
      return c.body(null, 204)
    })
}

/** What is said in a thread. */
function talkRoutes({ dialects, runs, threads, history, projector, replies }: NativeOptions): Hono<HttpEnv> {
  return new Hono<HttpEnv>()
    .get('/:id/messages', async (c) => {
      const thread = await threads.get(c.get('userId'), c.req.param('id'))
      const page = pageOf(c, { usual: 100, most: 500 })
      await projector.upTo(thread.id)
      const stored = await history.path(thread.id, page)
      const oldest = stored[0]?.row
      const more = stored.length === page.limit && oldest?.parent_id ? { before: oldest.id } : {}
      return c.json({ messages: stored.map(({ message }) => shown(message)), ...more })
    })
    .post('/:id/runs', async (c) => {
      const thread = await threads.get(c.get('userId'), c.req.param('id'))
      const body = await readJson(c)
      readBody(policy, body)
      const protocol = namedProtocol(c, dialects) ?? native
      const { stream, view, ...request } = native.parse(body)
      if (request.agent !== undefined && request.agent !== thread.agent) {
        throw new ServiceError('invalid-request', `agent: this thread is one of ${thread.agent}.`)
      }
      const reply = { protocol: protocol.name, view }
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

function toThread({ id, agent, clientId, title, createdAt, updatedAt, metadata }: Thread) {
  return { id, agent, name: clientId ?? null, title: title ?? null, createdAt, updatedAt, metadata }
}

function shown(message: Message) {
  return message.role === 'user' ? message : toMessage(message)
}
