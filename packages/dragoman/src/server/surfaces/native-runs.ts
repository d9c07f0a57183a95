import { Hono } from 'hono'

import { describeRoute } from '../../agents/index.ts'
import { ServiceError } from '../../errors.ts'
import type { AssistantMessage, Message, Run } from '../../events/index.ts'
import { native, parseBody, toPublicMessage, toPublicRun } from '../../protocols/index.ts'
import { readJson, type HttpEnv } from '../http/index.ts'
import { namedProtocol } from './dialect.ts'
import type { NativeOptions } from './native-options.ts'
import * as operations from './native-run-operations.ts'
import { listMessages, messagesQuery } from './native-thread-operations.ts'
import { pageOf, readQuery } from './paging.ts'
import { streamedList } from './streamed-list.ts'
import { cursorFrom } from './replies.ts'
import { startAndFollow } from './starting.ts'

/** Runs, by their own ids: to look at, read along and stop. */
export function runRoutes({ runs, replies, dialects, history }: NativeOptions): Hono<HttpEnv> {
  /** Of one whose log has gone, as its row has it. */
  const said = async (run: Run): Promise<AssistantMessage> => {
    const stored = run.pruned ? await history.find(run.threadId, run.messageId) : undefined
    return stored?.message.role === 'assistant' ? stored.message : runs.soFar(run)
  }
  return new Hono<HttpEnv>()
    .get('/:id', describeRoute(operations.getRun), async (c) => {
      const run = await runs.get(c.get('userId'), c.req.param('id'))
      return c.json({ run: toPublicRun(run), message: toPublicMessage(await said(run)) })
    })
    .get('/:id/events', describeRoute(operations.readRun(dialects)), async (c) => {
      const run = await runs.get(c.get('userId'), c.req.param('id'))
      const protocol = namedProtocol(c, dialects) ?? native
      // Lines have no place for cursors: none that comes is theirs.
      const after = protocol.framing === 'events' ? cursorFrom(c) : undefined
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

/** What is said in a thread. */
export function talkRoutes(options: NativeOptions): Hono<HttpEnv> {
  const { dialects, runs, threads, branches, projector } = options
  return new Hono<HttpEnv>()
    .get('/:id/messages', describeRoute(listMessages), async (c) => {
      const thread = await threads.get(c.get('userId'), c.req.param('id'))
      const page = readQuery(c, messagesQuery)
      await projector.upTo(thread.id)
      const { places, read } = await pageOf(thread.id, page, options)
      const oldest = places[0]
      const more = places.length === page.limit && oldest?.parentId ? { before: oldest.id } : {}
      const items = async function* (): AsyncGenerator<object> {
        for await (const stored of read()) {
          const siblings = await branches.siblings(thread.id, stored)
          for (const { message } of stored) yield placed(message, siblings.get(message.id))
        }
      }
      return streamedList(c, { name: 'messages', items, after: more })
    })
    .post('/:id/runs', describeRoute(operations.startRun(dialects)), async (c) => {
      const thread = await threads.get(c.get('userId'), c.req.param('id'))
      const protocol = namedProtocol(c, dialects) ?? native
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

/** A message, and which of its siblings it is. */
function placed(message: Message, siblings: readonly string[] = [message.id]) {
  const shown = message.role === 'user' ? message : toPublicMessage(message)
  return { ...shown, siblings, place: siblings.indexOf(message.id) + 1 }
}
