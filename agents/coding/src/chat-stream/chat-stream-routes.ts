import { Hono, type Context } from 'hono'

import { describeRoute } from 'dragoman/agents'
import { ServiceError } from 'dragoman/errors'
import { canonicalJson, isLive, type ChatRequest, type Run } from 'dragoman/events'
import { parseBody, type RunRequest } from 'dragoman/protocols'
import { envelope, requestIdOf } from '../protocols/envelope/index.ts'
import type { Thread } from 'dragoman/threads'
import { readJson, type HttpEnv } from 'dragoman/http'
import { withWorkspace, rootOfContext, type ChatStreamOptions } from './session-workspace.ts'
import { historyRoute } from './history-route.ts'
import * as operations from './chat-stream-openapi.ts'
import { messageKey, findRequestedRun, findRun } from './find-run.ts'
import { sessionRoutes } from './session-routes.ts'
import { namedProtocol, readQuery, readCursor, startAndFollow } from 'dragoman/surfaces'

/** A request may bring files along with its words. */
const MAX_BODY_BYTES = 10 * 1024 * 1024

/** Sessions of the coding agent, as the chat stream documents them: mounted at `/api`. */
export function chatStreamRoutes(options: ChatStreamOptions): Hono<HttpEnv> {
  const { protocols, runs, replies } = options
  return new Hono<HttpEnv>()
    .post('/chat/stream', describeRoute(operations.ask), async (c) => {
      const body = await readJson(c, MAX_BODY_BYTES)
      const request = envelope.parse(body)
      const { model } = parseBody(operations.modelBody, body)
      return ask(c, request, model ?? undefined, options)
    })
    .get('/chat/stream', describeRoute(operations.resume(protocols)), async (c) => {
      const names = readQuery(c, operations.namesQuery)
      const run = await findRequestedRun(names, c.get('userId'), options)
      const after = readCursor(c)
      const isNamed = names.messageId !== undefined || names.requestId !== undefined
      // The last answer of a session is repeated only for a cursor or an explicit name.
      if (!run || !(isNamed || after || isLive(run))) return c.body(null, 204)
      const protocol = namedProtocol(c, protocols) ?? envelope
      return withRequestId(await replies.stream(c, run, { protocol, after }), requestIdOf(run))
    })
    .post('/chat/cancel', describeRoute(operations.cancel), async (c) => {
      const names = parseBody(operations.cancelBody, await readJson(c))
      const run = await findRequestedRun(names, c.get('userId'), options)
      const success = run !== undefined && (await runs.stop(run, c.get('userId')))
      return c.json({ success, requestId: names.requestId ?? (run ? requestIdOf(run) : null) })
    })
    .route('/', historyRoute(options))
    .route('/', sessionRoutes(options))
}

/** Starts a run in a known or new session. A repeated message gets its earlier run. A session has one live run. */
async function ask(
  c: Context<HttpEnv>,
  request: RunRequest,
  model: string | undefined,
  options: ChatStreamOptions,
): Promise<Response> {
  if ('answers' in request) throw new ServiceError('invalid-request', 'message is required')
  const { agent, runs, replies, threads, resolveContext: settle, mustReach } = options
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

  if (model !== undefined) mustReach(model)
  // What a known session remembers holds for a run that says nothing else.
  const setsRoot = !thread || rootOfContext(request.context).workspaceRoot !== undefined
  const root = setsRoot ? rootOfContext(await settle(request.context, userId)) : {}
  const update = (before: Thread['metadata']): Thread['metadata'] => ({
    ...withWorkspace(before, root),
    ...(model !== undefined && { model }),
  })
  const { clientId } = request.message
  const response = await startAndFollow(
    c,
    { ...request, ...(model !== undefined && { model }) },
    {
      ...options,
      protocol: envelope,
      policy: 'reject',
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
