import { Hono, type Context } from 'hono'

import { describeRoute, type Operation } from '../../../agents/index.ts'
import { ServiceError } from '../../../errors.ts'
import { isLive, type Json, type Run } from '../../../events/index.ts'
import {
  dataStream,
  parseBody,
  uiMessageStream,
  type Protocol,
  type RunRequest,
} from '../../../protocols/index.ts'
import { readChatJson, readJson, type HttpEnv } from '../../http/index.ts'
import { requestOptions } from './request-options.ts'
import { chatHistory, toConversation, type ChatOptions } from './history.ts'
import { namedProtocol, selectProtocol, type Protocols } from '../select-protocol.ts'
import * as operations from './openapi.ts'
import { readQuery } from '../paging.ts'
import { readCursor, readStartIndex } from '../reader-place.ts'
import { storedKey, startAndFollow } from '../start-and-follow.ts'

/** Differences of another documented chat API. */
export type ChatVariant = {
  readonly operation: Operation
  /** The protocol of bodies that contain only texts, if the API has its own. */
  readonly textProtocol?: string
  /** Maximum model calls in a run, if fewer than the agent's. */
  readonly maxSteps?: number
  /** Adds fields of the body that its protocol does not read. @throws ServiceError `invalid-request` */
  readonly completeRequest: (request: RunRequest, body: Json) => RunRequest
  /** Rewrites an error in terms of the request's body. */
  readonly rewordError: (error: unknown, body: Json) => unknown
}

/** The chat API of one agent, in all protocols. */
export function chatRoutes(options: ChatOptions): Hono<HttpEnv> {
  return new Hono<HttpEnv>().route('/', answerRoutes(options)).route('/', conversationRoutes(options))
}

const standardVariant = (protocols: Protocols): ChatVariant => ({
  operation: operations.ask(protocols),
  completeRequest: (request) => request,
  rewordError: (error) => error,
})

/** Routes to ask one agent and to resume its answers. */
export function answerRoutes(
  options: ChatOptions,
  { operation, textProtocol, maxSteps, completeRequest, rewordError }: ChatVariant = standardVariant(
    options.protocols,
  ),
): Hono<HttpEnv> {
  const { agent, protocols } = options
  const resume = createResumeHandler(options)
  const registered = (protocol: Protocol): Protocol => protocols.get(protocol.name) ?? protocol
  return new Hono<HttpEnv>()
    .post('/', describeRoute(operation), async (c) => {
      const body = await readChatJson(c)
      const protocol = selectProtocol(c, protocols, body, textProtocol)
      const request = completeRequest(protocol.parse(body), body)
      const startOptions = {
        ...options,
        protocol,
        ...requestOptions(request, protocol, agent),
        ...(maxSteps && { maxSteps }),
      }
      return startAndFollow(c, request, startOptions).catch((error: unknown) =>
        Promise.reject(rewordError(error, body)),
      )
    })
    .get('/:name/stream', describeRoute(operations.comeBack(protocols)), (c) =>
      resume(c, c.req.param('name'), registered(uiMessageStream)),
    )
    .get('/', describeRoute(operations.comeBackByChat(protocols)), (c) =>
      resume(c, chatId(c), registered(dataStream)),
    )
    .get('/stream', describeRoute(operations.comeBackByChat(protocols)), (c) =>
      resume(c, chatId(c), registered(dataStream)),
    )
}

/** Routes for the history of one agent, and to stop its runs. */
export function conversationRoutes(options: ChatOptions): Hono<HttpEnv> {
  const { agent, runs, threads } = options
  return new Hono<HttpEnv>()
    .post('/stop', describeRoute(operations.stop), async (c) => {
      const run = await runToStop(await readJson(c), c.get('userId'), options)
      return c.json({ stopped: run !== undefined && (await runs.stop(run, c.get('userId'))) })
    })
    .get('/history', describeRoute(operations.history), (c) => chatHistory(c, options))
    .get('/conversations', describeRoute(operations.listConversations), async (c) => {
      await options.projector.catchUp(c.get('userId'))
      const page = readQuery(c, operations.conversationsQuery)
      const listed = await threads.list(c.get('userId'), { agent, ...page })
      return c.json({ conversations: listed.map(toConversation) })
    })
}

/** AI SDK 4 sends its chat id in the query. */
function chatId(c: Context): string {
  const name = c.req.query('chatId')
  if (name) return name
  throw new ServiceError('invalid-request', 'chatId is required')
}

/**
 * A reader with a cursor resumes in the run's own protocol, unless another is named or that protocol has no cursors.
 */
function createResumeHandler(options: ChatOptions) {
  const { protocols, replies } = options
  return async (c: Context<HttpEnv>, name: string, defaultProtocol: Protocol): Promise<Response> => {
    const run = await runToResume(name, c.get('userId'), options)
    const place = readCursor(c)
    const own = place === undefined ? undefined : run && protocols.get(run.reply.protocol)
    const protocol = namedProtocol(c, protocols) ?? (own?.framing === 'events' ? own : defaultProtocol)
    const cursor = protocol.framing === 'events' ? place : undefined
    const startIndex = readStartIndex(c)
    // The last answer of a thread is sent again only to a reader with a cursor, or while it is live.
    const isAvailable = !run?.pruned || startIndex !== undefined
    const canStream =
      run && (cursor !== undefined || hasMore(run, protocol) || (isRunName(name) && isAvailable))
    if (canStream) return replies.stream(c, run, { protocol, cursor, startIndex })
    const body = protocol.emptyBody?.(startIndex !== undefined)
    if (body === undefined) return c.body(null, 204)
    const tail = startIndex === undefined ? {} : { 'x-workflow-stream-tail-index': '0' }
    return c.body(body, 200, { 'content-type': 'text/event-stream', ...protocol.headers, ...tail })
  }
}

/** A waiting run is complete in the history: protocols whose bodies end there send nothing more before an answer. */
function hasMore(run: Run, { endsAtWaiting }: Protocol): boolean {
  return isLive(run) && !(run.status === 'waiting' && endsAtWaiting === true)
}

async function runToStop(
  body: Json,
  userId: string,
  { runs, threads, agent }: ChatOptions,
): Promise<Run | undefined> {
  const { messageId, runId, conversationId, key } = parseBody(operations.stopBody, body)
  const name = messageId ?? runId ?? (key && storedKey(key, agent))
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
