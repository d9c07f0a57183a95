import { Hono } from 'hono'
import type { z } from 'zod'

import { describeRoute } from '../../../agents/index.ts'
import { ServiceError } from '../../../errors.ts'
import type { AssistantMessage, Message, RunSummary } from '../../../events/index.ts'
import { native, parseBody, toPublicMessage, toPublicRun } from '../../../protocols/index.ts'
import { readJson, type HttpEnv } from '../../http/index.ts'
import { namedProtocol } from '../select-protocol.ts'
import type { V1Options } from './options.ts'
import * as operations from './run-openapi.ts'
import { listMessages, messagesQuery } from './thread-openapi.ts'
import { readPage, readQuery } from '../paging.ts'
import { itemPages, streamList } from '../stream-list.ts'
import type { MessagePage, PageMessage } from '../../../threads/index.ts'
import type { RunSnapshot } from '../../../runs/index.ts'
import { deliverPage } from '../deliver-page.ts'
import { readCursor } from '../reader-place.ts'
import { startAndFollow } from '../start-and-follow.ts'

/** Routes for runs: list, show, read, answer and stop. */
export function runRoutes(options: V1Options): Hono<HttpEnv> {
  const { runs, replies, protocols, messagePages } = options
  /** The message of a pruned run comes from its row. */
  const findMessage = async (run: RunSummary): Promise<RunSnapshot> => {
    if (!run.pruned) return runs.snapshot(run)
    const { pages } = await messagePages.end(run.threadId, { leaf: run.messageId, limit: 1 })
    const { value: page } = await pages().next()
    const read = async (): Promise<AssistantMessage> => {
      const message = ((await (page as MessagePage | undefined)?.read()) ?? [])[0]?.message
      return message?.role === 'assistant' ? message : runs.soFar(run)
    }
    return { bytes: (page as MessagePage | undefined)?.bytes ?? 0, read }
  }
  return new Hono<HttpEnv>()
    .get('/', describeRoute(operations.listRuns), async (c) => {
      const page = readQuery(c, operations.runsQuery)
      return c.json(await listRuns(c.get('userId'), page, options))
    })
    .get('/:id', describeRoute(operations.getRun), async (c) => {
      const run = await runs.find(c.get('userId'), c.req.param('id'))
      const { bytes, read } = await findMessage(run)
      const make = async (): Promise<string> =>
        JSON.stringify({ run: toPublicRun(run), message: toPublicMessage(await read()) })
      return deliverPage(c, { bytes, make })
    })
    .get('/:id/events', describeRoute(operations.readRun(protocols)), async (c) => {
      const run = await runs.get(c.get('userId'), c.req.param('id'))
      const protocol = namedProtocol(c, protocols) ?? native
      // A line protocol has no cursors.
      const cursor = protocol.framing === 'events' ? readCursor(c) : undefined
      return replies.stream(c, run, { protocol, cursor })
    })
    .post('/:id/answers', describeRoute(operations.answerRun), async (c) => {
      const run = await runs.get(c.get('userId'), c.req.param('id'))
      await runs.answer(run, parseBody(operations.answerBody, await readJson(c)), run.userId)
      return c.json({ run: toPublicRun(await runs.find(run.userId, run.id)) })
    })
    .post('/:id/stop', describeRoute(operations.stopRun), async (c) => {
      const run = await runs.find(c.get('userId'), c.req.param('id'))
      return c.json({ stopped: await runs.stop(run, c.get('userId')), runId: run.id })
    })
}

async function listRuns(
  userId: string,
  { thread, live, ...page }: z.infer<typeof operations.runsQuery>,
  { runs, runList, threads, projector }: V1Options,
): Promise<object> {
  const threadId = thread === undefined ? {} : { threadId: (await threads.get(userId, thread)).id }
  await projector.catchUp(userId)
  const { ids, ...rest } = await runList.ids(userId, { ...page, ...threadId, live: live === 'true' })
  const found = new Map((await runs.summaries(userId, ids)).map((run) => [run.id, run]))
  // The thread of one may have been deleted meanwhile.
  const listed = ids.flatMap((id) => found.get(id) ?? [])
  return { runs: listed.map(toPublicRun), ...rest }
}

/** Routes for the messages and runs of a thread. */
export function threadMessageRoutes(options: V1Options): Hono<HttpEnv> {
  const { protocols, runs, threads, branches, projector } = options
  return new Hono<HttpEnv>()
    .get('/:id/messages', describeRoute(listMessages), async (c) => {
      const thread = await threads.get(c.get('userId'), c.req.param('id'))
      const page = readQuery(c, messagesQuery)
      await projector.refresh(thread.id)
      const { places, pages } = await readPage(thread.id, page, options)
      const oldest = places[0]
      const more = places.length === page.limit && oldest?.parentId ? { before: oldest.id } : {}
      const toItems = async (stored: readonly PageMessage[]): Promise<object[]> => {
        const siblings = await branches.siblings(thread.id, stored)
        return stored.map(({ message }) => withSiblings(message, siblings.get(message.id)))
      }
      return streamList(c, { name: 'messages', pages: () => itemPages(pages(), toItems), after: () => more })
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
      const run = await runs.findCurrent(thread.id)
      const stopped = run !== undefined && (await runs.stop(run, c.get('userId')))
      return c.json({ stopped, ...(run && { runId: run.id }) })
    })
}

/** A message with its siblings and its place among them. */
function withSiblings(message: Message, siblings: readonly string[] = [message.id]) {
  const body = message.role === 'user' ? message : toPublicMessage(message)
  return { ...body, siblings, place: siblings.indexOf(message.id) + 1 }
}
