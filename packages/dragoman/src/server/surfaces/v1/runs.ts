import { Hono } from 'hono'
import type { z } from 'zod'

import { describeRoute } from '../../../agents/index.ts'
import { isServiceError, ServiceError } from '../../../errors.ts'
import type { AssistantMessage, Message, Run } from '../../../events/index.ts'
import { native, parseBody, toPublicMessage, toPublicRun } from '../../../protocols/index.ts'
import { readJson, type HttpEnv } from '../../http/index.ts'
import { namedProtocol } from '../select-protocol.ts'
import type { V1Options } from './options.ts'
import * as operations from './run-openapi.ts'
import { listMessages, messagesQuery } from './thread-openapi.ts'
import { readPage, readQuery } from '../paging.ts'
import { streamList } from '../stream-list.ts'
import { readCursor } from '../replies.ts'
import { startAndFollow } from '../start-and-follow.ts'

/** Routes for runs: list, show, read, answer and stop. */
export function runRoutes(options: V1Options): Hono<HttpEnv> {
  const { runs, replies, protocols, history } = options
  /** The message of a pruned run comes from its row. */
  const readMessage = async (run: Run): Promise<AssistantMessage> => {
    const stored = run.pruned ? await history.find(run.threadId, run.messageId) : undefined
    return stored?.message.role === 'assistant' ? stored.message : runs.soFar(run)
  }
  return new Hono<HttpEnv>()
    .get('/', describeRoute(operations.listRuns), async (c) => {
      const page = readQuery(c, operations.runsQuery)
      return c.json(await listRuns(c.get('userId'), page, options))
    })
    .get('/:id', describeRoute(operations.getRun), async (c) => {
      const run = await runs.get(c.get('userId'), c.req.param('id'))
      return c.json({ run: toPublicRun(run), message: toPublicMessage(await readMessage(run)) })
    })
    .get('/:id/events', describeRoute(operations.readRun(protocols)), async (c) => {
      const run = await runs.get(c.get('userId'), c.req.param('id'))
      const protocol = namedProtocol(c, protocols) ?? native
      // A line protocol has no cursors.
      const after = protocol.framing === 'events' ? readCursor(c) : undefined
      return replies.stream(c, run, { protocol, after })
    })
    .post('/:id/answers', describeRoute(operations.answerRun), async (c) => {
      const run = await runs.get(c.get('userId'), c.req.param('id'))
      await runs.answer(run, parseBody(operations.answerBody, await readJson(c)), run.userId)
      return c.json({ run: toPublicRun(await runs.get(run.userId, run.id)) })
    })
    .post('/:id/stop', describeRoute(operations.stopRun), async (c) => {
      const run = await runs.get(c.get('userId'), c.req.param('id'))
      return c.json({ stopped: await runs.stop(run, c.get('userId')), runId: run.id })
    })
}

async function listRuns(
  userId: string,
  { thread, ...page }: z.infer<typeof operations.runsQuery>,
  { runs, runList, threads, projector }: V1Options,
): Promise<object> {
  const threadId = thread === undefined ? {} : { threadId: (await threads.get(userId, thread)).id }
  await projector.catchUp()
  const { ids, ...rest } = await runList.ids(userId, { ...page, ...threadId })
  const found = await Promise.all(
    ids.map((id) =>
      runs.get(userId, id).catch((error: unknown) => {
        // Its thread has been deleted meanwhile.
        if (isServiceError(error, 'not-found')) return undefined
        throw error
      }),
    ),
  )
  return { runs: found.flatMap((run) => (run ? [toPublicRun(run)] : [])), ...rest }
}

/** Routes for the messages and runs of a thread. */
export function threadMessageRoutes(options: V1Options): Hono<HttpEnv> {
  const { protocols, runs, threads, branches, projector } = options
  return new Hono<HttpEnv>()
    .get('/:id/messages', describeRoute(listMessages), async (c) => {
      const thread = await threads.get(c.get('userId'), c.req.param('id'))
      const page = readQuery(c, messagesQuery)
      await projector.upTo(thread.id)
      const { places, read } = await readPage(thread.id, page, options)
      const oldest = places[0]
      const more = places.length === page.limit && oldest?.parentId ? { before: oldest.id } : {}
      const items = async function* (): AsyncGenerator<object> {
        for await (const stored of read()) {
          const siblings = await branches.siblings(thread.id, stored)
          for (const { message } of stored) yield withSiblings(message, siblings.get(message.id))
        }
      }
      return streamList(c, { name: 'messages', items, after: more })
    })
    .post('/:id/runs', describeRoute(operations.startRun(protocols)), async (c) => {
      const thread = await threads.get(c.get('userId'), c.req.param('id'))
      const protocol = namedProtocol(c, protocols) ?? native
      const request = native.parse(await readJson(c))
      if (request.agent !== undefined && request.agent !== thread.agent) {
        throw new ServiceError('invalid-request', `agent: this thread is one of ${thread.agent}.`)
      }
      const { agent, id } = thread
      return startAndFollow(c, request, { ...options, protocol, agent, thread: id, policy: 'reject' })
    })
    .post('/:id/stop', describeRoute(operations.stopThread), async (c) => {
      const thread = await threads.get(c.get('userId'), c.req.param('id'))
      const run = await runs.current(thread.id)
      const stopped = run !== undefined && (await runs.stop(run, c.get('userId')))
      return c.json({ stopped, ...(run && { runId: run.id }) })
    })
}

/** A message with its siblings and its place among them. */
function withSiblings(message: Message, siblings: readonly string[] = [message.id]) {
  const body = message.role === 'user' ? message : toPublicMessage(message)
  return { ...body, siblings, place: siblings.indexOf(message.id) + 1 }
}
