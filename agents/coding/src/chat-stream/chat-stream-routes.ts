import { Hono, type Context } from 'hono'

import { describeRoute } from 'dragoman/agents'
import { isServiceError, ServiceError } from 'dragoman/errors'
import { canonicalJson, isLive, type ChatRequest, type Run } from 'dragoman/events'
import { parseBody, type RunRequest } from 'dragoman/protocols'
import {
  endsWithOriginalPage,
  envelope,
  isFromOriginalPage,
  requestIdOf,
  withUnknownModel,
} from '../protocols/envelope/index.ts'
import { commandRoutes } from './command-routes.ts'
import type { Thread } from 'dragoman/threads'
import { readJson, type HttpEnv } from 'dragoman/http'
import { withWorkspace, rootOfContext, type ChatStreamOptions } from './session-workspace.ts'
import { historyRoute } from './history-route.ts'
import * as operations from './chat-stream-openapi.ts'
import { messageKey, findRequestedRun, findRun } from './find-run.ts'
import { sessionRoutes } from './session-routes.ts'
import { namedProtocol, readQuery, readCursor, startAndFollow } from 'dragoman/surfaces'

/** Sessions of the coding agent, as the chat stream documents them: mounted at `/api`. */
export function chatStreamRoutes(options: ChatStreamOptions): Hono<HttpEnv> {
  const { protocols, runs, replies } = options
  return new Hono<HttpEnv>()
    .post('/chat/stream', describeRoute(operations.ask), async (c) => {
      const body = await readJson(c)
      const request = envelope.parse(body)
      const { model } = parseBody(operations.modelBody, body)
      return ask(c, ...withKnownModel(request, c.get('userId'), model || undefined, options), options)
    })
    .get('/chat/stream', describeRoute(operations.resume(protocols)), async (c) => {
      const names = readQuery(c, operations.namesQuery)
      const run = await findRequestedRun(names, c.get('userId'), options)
      const cursor = readCursor(c)
      const isNamed = names.messageId !== undefined || names.requestId !== undefined
      // The last answer of a session is repeated only for a cursor or an explicit name.
      if (!run || !(isNamed || cursor !== undefined || isLive(run))) return c.body(null, 204)
      const protocol = namedProtocol(c, protocols) ?? envelope
      return withRequestId(await replies.stream(c, run, { protocol, cursor }), requestIdOf(run))
    })
    .post('/chat/cancel', describeRoute(operations.cancel), async (c) => {
      const names = parseBody(operations.cancelBody, await readJson(c))
      const run = await findRequestedRun(names, c.get('userId'), options).catch((error: unknown) => {
        if (!isServiceError(error, 'not-found') || !isForeignName(names.requestId)) throw error
      })
      const success = run ? await runs.stop(run, c.get('userId')) : false
      return c.json({ success, requestId: names.requestId ?? (run ? requestIdOf(run) : null) })
    })
    .route('/', historyRoute(options))
    .route('/', sessionRoutes(options))
    .route('/', commandRoutes(options))
}

/** The request and the model that it names: a model that is not known here is not asked for, and the answer says so. */
function withKnownModel(
  request: RunRequest,
  userId: string,
  model: string | undefined,
  { agent, findModel }: ChatStreamOptions,
): [RunRequest, string | undefined] {
  if (model === undefined) return [request, undefined]
  const found = findModel({ userId, agent, model })
  return found === undefined
    ? [{ ...request, view: withUnknownModel(request.view) }, undefined]
    : [request, found]
}

/** What another server has named is not known here, and there is nothing to cancel. */
function isForeignName(requestId: string | undefined): boolean {
  return requestId !== undefined && !/(?:^|_)run_[\w-]+$/.test(requestId)
}

/** Starts a run in a known or new session. A repeated message gets its earlier run. A session has one live run. */
async function ask(
  c: Context<HttpEnv>,
  request: RunRequest,
  model: string | undefined,
  options: ChatStreamOptions,
): Promise<Response> {
  if ('answers' in request) throw new ServiceError('invalid-request', 'message is required')
  const { agent, runs, replies, threads, resolveContext: settle } = options
  const userId = c.get('userId')
  const thread = request.thread === undefined ? undefined : await threads.known(userId, request.thread, agent)
  const earlierRun = thread && (await findEarlierRun(request, thread, userId, options))
  if (earlierRun) {
    const { view } = request
    return withRequestId(
      await replies.stream(c, earlierRun, { protocol: envelope, view }),
      requestIdOf(earlierRun),
    )
  }

  // What a known session remembers holds for a run that says nothing else.
  const setsRoot = !thread || rootOfContext(request.context).workspaceRoot !== undefined
  const root = setsRoot ? rootOfContext(await settle(request.context, userId)) : {}
  const update = (before: Thread['metadata']): Thread['metadata'] => ({
    ...withWorkspace(before, root),
    ...(model !== undefined && { model }),
  })
  const { clientId } = request.message
  const isPage = isFromOriginalPage(request.view)
  const response = await startAndFollow(
    c,
    { ...request, ...(model !== undefined && { model }) },
    {
      ...options,
      protocol: isPage ? endsWithOriginalPage : envelope,
      policy: 'reject',
      // The page stops an answer by disconnecting, and its next message may come first.
      endsUnread: isPage,
      ...(clientId !== undefined && { key: messageKey(agent, '$thread', clientId) }),
      // A known session is named by its id, so that a session deleted meanwhile does not begin again.
      ...(thread ? { thread: thread.id } : { metadata: update({}) }),
    },
  )
  if (!thread) response.headers.set('x-session-created', 'true')
  else if (setsRoot || model !== undefined) await threads.amend(thread, update)
  const run = await runs.get(userId, response.headers.get('x-run-id') ?? '')
  return withRequestId(response, requestIdOf(run))
}

/**
 * The run of an earlier request with this message id. Only the words count, because referenced files may have changed.
 * @throws ServiceError `key-reused` for other words
 */
async function findEarlierRun(
  { message }: ChatRequest,
  thread: Thread,
  userId: string,
  options: ChatStreamOptions,
): Promise<Run | undefined> {
  if (message.clientId === undefined) return undefined
  const run = await findRun(userId, messageKey(options.agent, thread.id, message.clientId), options)
  if (!run || canonicalJson(run.request.input) === canonicalJson(message.parts)) return run
  throw new ServiceError('key-reused', 'messageId: another message bears this id in this session.', {
    details: { runId: run.id },
  })
}

function withRequestId(response: Response, requestId: string): Response {
  response.headers.set('x-request-id', requestId)
  return response
}
