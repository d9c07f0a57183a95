import { Hono, type Context } from 'hono'

import { describeRoute, type Operation } from '../../agents/index.ts'
import { ServiceError } from '../../errors.ts'
import { isLive, type Json, type Run } from '../../events/index.ts'
import {
  dataStream,
  parseBody,
  uiMessageStream,
  type Protocol,
  type RunRequest,
} from '../../protocols/index.ts'
import { readJson, type HttpEnv } from '../http/index.ts'
import { howOf } from './asking.ts'
import { chatHistory, toConversation, type ChatOptions } from './chat-history.ts'
import { namedProtocol, spokenIn, type Dialects } from './dialect.ts'
import * as operations from './chat-operations.ts'
import { readQuery } from './paging.ts'
import { cursorFrom, startIndexFrom } from './replies.ts'
import { keyNamed, startAndFollow } from './starting.ts'

/** What another documented chat has of its own. */
export type Manner = {
  readonly ask: Operation
  /** The name of the protocol that texts alone are in, if the surface has one. */
  readonly literal?: string
  /** Model calls in one run, if that is fewer than the agent's. */
  readonly maxSteps?: number
  /** The request, with what its protocol does not know of the body. @throws ServiceError `invalid-request` */
  readonly complete: (request: RunRequest, body: Json) => RunRequest
  /** A refusal, in the words of the body that is refused. */
  readonly reworded: (error: unknown, body: Json) => unknown
}

/** The chat API of one agent, in any of its protocols. */
export function chatApi(options: ChatOptions): Hono<HttpEnv> {
  return new Hono<HttpEnv>().route('/', answersOf(options)).route('/', conversationsOf(options))
}

const plainManner = (dialects: Dialects): Manner => ({
  ask: operations.ask(dialects),
  complete: (request) => request,
  reworded: (error) => error,
})

/** To ask one agent, and to come back to its answer. */
export function answersOf(
  options: ChatOptions,
  { ask, literal, maxSteps, complete, reworded }: Manner = plainManner(options.dialects),
): Hono<HttpEnv> {
  const { agent, dialects } = options
  const resume = resumer(options)
  return new Hono<HttpEnv>()
    .post('/', describeRoute(ask), async (c) => {
      const body = await readJson(c)
      const protocol = spokenIn(c, dialects, body, literal)
      const request = complete(protocol.parse(body), body)
      const how = { ...options, protocol, ...howOf(request, protocol, agent), ...(maxSteps && { maxSteps }) }
      return startAndFollow(c, request, how).catch((error: unknown) => Promise.reject(reworded(error, body)))
    })
    .get('/:name/stream', describeRoute(operations.comeBack(dialects)), (c) =>
      resume(c, c.req.param('name'), uiMessageStream),
    )
    .get('/', describeRoute(operations.comeBackByChat(dialects)), (c) => resume(c, chatId(c), dataStream))
    .get('/stream', describeRoute(operations.comeBackByChat(dialects)), (c) =>
      resume(c, chatId(c), dataStream),
    )
}

/** What one agent was asked, and how it is stopped. */
export function conversationsOf(options: ChatOptions): Hono<HttpEnv> {
  const { agent, runs, threads } = options
  return new Hono<HttpEnv>()
    .post('/stop', describeRoute(operations.stop), async (c) => {
      const run = await runToStop(await readJson(c), c.get('userId'), options)
      return c.json({ stopped: run !== undefined && (await runs.stop(run, c.get('userId'))) })
    })
    .get('/history', describeRoute(operations.history), (c) => chatHistory(c, options))
    .get('/conversations', describeRoute(operations.listConversations), async (c) => {
      await options.projector.catchUp()
      const page = readQuery(c, operations.conversationsQuery)
      const listed = await threads.list(c.get('userId'), { agent, ...page })
      return c.json({ conversations: listed.map(toConversation) })
    })
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
    // A chat's last answer is told again only to one who was reading it, and from the start only while there is one.
    const isKept = !run?.pruned || startIndex !== undefined
    const isAsked = run && (after || hasMore(run, protocol) || (isRunName(name) && isKept))
    if (isAsked) return replies.stream(c, run, { protocol, after, startIndex })
    // Who counts chunks reads until a finish, and takes 204 for an error.
    if (startIndex !== undefined && protocol === uiMessageStream) return c.body(FINISH, 200, STREAM)
    // AI SDK 4 takes a body with nothing in it for that, and 204 for an error.
    return protocol.framing === 'lines' ? c.body('', 200, { ...protocol.headers }) : c.body(null, 204)
  }
}

/** One that waits is in the history as it is: to those whose bodies end there it says nothing more before it is answered. */
function hasMore(run: Run, { endsAtWaiting }: Protocol): boolean {
  return isLive(run) && !(run.status === 'waiting' && endsAtWaiting === true)
}

async function runToStop(
  body: Json,
  userId: string,
  { runs, threads, agent }: ChatOptions,
): Promise<Run | undefined> {
  const { messageId, runId, conversationId, key } = parseBody(operations.stopBody, body)
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
  return thread && runs.current(thread.id)
}
