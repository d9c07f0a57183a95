import { Hono, type Context } from 'hono'
import type { z } from 'zod'

import { described } from '../agent/index.ts'
import { ServiceError } from '../errors.ts'
import { isLive, type Json, type Run, type Usage } from '../events/index.ts'
import {
  dataStream,
  eveUsage,
  readBody,
  toDataMessage,
  toUiMessage,
  uiMessageStream,
  type Protocol,
} from '../protocols/index.ts'
import type { StoredMessage, Thread } from '../threads/index.ts'
import { readJson, type HttpEnv } from '../transports/index.ts'
import { howOf } from './asking.ts'
import type { Conversations } from './conversations.ts'
import { namedProtocol, spokenIn } from './dialect.ts'
import * as operations from './jobs-chat-operations.ts'
import { readQuery } from './paging.ts'
import { cursorFrom, startIndexFrom } from './replies.ts'
import { keyNamed, startAndFollow } from './starting.ts'

export type ChatOptions = Conversations & {
  /** The agent's id: the surface is `/<agent>/chat`. */
  readonly agent: string
}

/** The chat of one agent as the Eve jobs chat documents it, in any of its dialects. */
export function jobsChat(options: ChatOptions): Hono<HttpEnv> {
  const { agent, dialects, runs, threads } = options
  const resume = resumer(options)
  return new Hono<HttpEnv>()
    .post('/', described(operations.ask(dialects)), async (c) => {
      const body = await readJson(c)
      const protocol = spokenIn(c, dialects, body)
      const request = protocol.parse(body)
      return startAndFollow(c, request, { ...options, protocol, ...howOf(request, protocol, agent) })
    })
    .post('/stop', described(operations.stop), async (c) => {
      const run = await runToStop(await readJson(c), c.get('userId'), options)
      return c.json({ stopped: run !== undefined && (await runs.stop(run, c.get('userId'))) })
    })
    .get('/history', described(operations.history), (c) => historyOf(c, options))
    .get('/conversations', described(operations.listConversations), async (c) => {
      await options.projector.catchUp()
      const page = readQuery(c, operations.conversationsQuery)
      const listed = await threads.list(c.get('userId'), { agent, ...page })
      return c.json({ conversations: listed.map(toConversation) })
    })
    .get('/:name/stream', described(operations.comeBack(dialects)), (c) =>
      resume(c, c.req.param('name'), uiMessageStream),
    )
    .get('/', described(operations.comeBackByChat(dialects)), (c) => resume(c, chatId(c), dataStream))
    .get('/stream', described(operations.comeBackByChat(dialects)), (c) => resume(c, chatId(c), dataStream))
}

/** AI SDK 4 names its chat in the query of the address that it posts to. */
function chatId(c: Context): string {
  const name = c.req.query('chatId')
  if (name) return name
  throw new ServiceError('invalid-request', 'chatId is required')
}

/** A stream in which nothing is said. No client makes a message of it. */
const FINISH = 'data: {"type":"finish"}\n\ndata: [DONE]\n\n'
const STREAM = {
  ...uiMessageStream.headers,
  'content-type': 'text/event-stream',
  'x-workflow-stream-tail-index': '0',
}

/** One who has a cursor reads on in the run's own dialect, unless another is named, or that one has no cursors. */
function resumer(options: ChatOptions) {
  const { dialects, replies } = options
  return async (c: Context<HttpEnv>, name: string, usual: Protocol): Promise<Response> => {
    const run = await runToResume(name, c.get('userId'), options)
    const cursor = cursorFrom(c)
    const own = cursor && run && dialects.get(run.reply.protocol)
    const protocol = namedProtocol(c, dialects) ?? (own?.framing === 'events' ? own : usual)
    const after = protocol.framing === 'events' ? cursor : undefined
    const startIndex = startIndexFrom(c)
    // A chat's last answer is told again only to one who was reading it, and from the start only while there is one. One that waits is in
    // the history, as far as it goes.
    const goesOn = run && isLive(run) && !(run.status === 'waiting' && protocol.endsAtWaiting)
    const isAsked = run && (after || (!run.pruned && (goesOn || isRunName(name))))
    if (isAsked) return replies.stream(c, run, { protocol, after, startIndex })
    // Who counts chunks reads until a finish, and takes 204 for an error.
    if (startIndex !== undefined && protocol === uiMessageStream) return c.body(FINISH, 200, STREAM)
    // AI SDK 4 takes a body with nothing in it for that, and 204 for an error.
    return protocol.framing === 'lines' ? c.body('', 200, { ...protocol.headers }) : c.body(null, 204)
  }
}

async function runToStop(
  body: Json,
  userId: string,
  { runs, threads, agent }: ChatOptions,
): Promise<Run | undefined> {
  const { messageId, runId, conversationId, key } = readBody(operations.stopBody, body)
  const name = messageId ?? runId ?? (key && keyNamed(key, agent))
  try {
    if (name) return await runs.get(userId, name)
    if (conversationId) return await runs.current((await threads.get(userId, conversationId, agent)).id)
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not-found') return undefined
    throw error
  }
  throw new ServiceError('invalid-request', 'messageId is required')
}

function isRunName(name: string): boolean {
  return /^(run|msg)_[\w-]{12}$/.test(name)
}

async function runToResume(
  name: string,
  userId: string,
  { runs, threads, agent }: ChatOptions,
): Promise<Run | undefined> {
  if (isRunName(name)) return runs.get(userId, name)
  const thread = await threads.find(userId, name, agent)
  return thread && runs.latest(thread.id)
}

/** `?format=ui` gives what `useChat` keeps: without an answer that is still running, which a resume will bring whole. */
async function historyOf(
  c: Context<HttpEnv>,
  { agent, dialects, runs, threads, history, projector }: ChatOptions,
): Promise<Response> {
  const { conversationId: name, format, ...page } = readQuery(c, operations.historyQuery)
  const thread = await threads.find(c.get('userId'), name, agent)
  if (!thread) return c.json({ conversation: null, messages: [] })

  const latest = await runs.latest(thread.id)
  await projector.upTo(thread.id)
  const current = await threads.get(c.get('userId'), thread.id)
  const stored = await history.path(thread.id, page)
  const more = stored.length === page.limit && stored[0]?.row.parent_id ? { before: stored[0].row.id } : {}
  const live =
    latest && isLive(latest)
      ? { live: { runId: latest.id, messageId: latest.messageId, cursor: latest.lastSeq } }
      : {}
  const messages =
    format === 'ui'
      ? stored
          .filter(({ message }) => message.role === 'user' || message.status !== 'streaming')
          .map(namedProtocol(c, dialects) === dataStream ? toUiOfV4 : toUi(c.req.query()))
      : stored.map(toRow)
  return c.json({ conversation: toConversation(current), messages, ...more, ...live })
}

function toConversation(thread: Thread): z.infer<typeof operations.conversationShape> {
  const { id, agent, clientId, title, createdAt, updatedAt, metadata } = thread
  return {
    id,
    agentId: agent,
    clientId: clientId ?? null,
    title: title ?? null,
    createdAt,
    updatedAt,
    metadata,
  }
}

function toRow({ row }: StoredMessage): z.infer<typeof operations.messageRowShape> {
  return {
    id: row.id,
    conversationId: row.conversation_id,
    role: row.role,
    content: row.content,
    reasoning: row.reasoning,
    toolCalls: row.tool_calls === null ? null : (JSON.parse(row.tool_calls) as Json),
    timestamp: row.timestamp,
    finishReason: row.finish_reason,
    usage: row.usage === null ? null : eveUsage(JSON.parse(row.usage) as Usage),
    createdAt: row.created_at,
    ...(row.status === 'cancelled' && { metadata: { aborted: true } }),
  }
}

function toUi(query: Record<string, string>): (stored: StoredMessage) => Json {
  const view = uiMessageStream.view({}, query)
  return ({ message, row }) => {
    if (message.role === 'user')
      return { id: message.clientId ?? message.id, role: 'user', parts: message.parts as Json }
    return toUiMessage(message, { runId: row.run_id ?? '', conversationId: row.conversation_id }, view)
  }
}

function toUiOfV4({ message, row }: StoredMessage): Json {
  return toDataMessage(message, { runId: row.run_id ?? '', conversationId: row.conversation_id }, {})
}
