import type { z } from 'zod'

import { isServiceError, ServiceError } from 'dragoman/errors'
import type { Run } from 'dragoman/events'
import type { ChatStreamOptions } from './session-workspace.ts'
import type { namesQuery } from './chat-stream-openapi.ts'

/** Under which a message's run is found in its session. */
export function messageKey(agent: string, threadId: string, clientId: string): string {
  return `message:${agent}/${threadId}:${clientId}`
}

/**
 * The run of a request id or a message id, or the last run of a session, if any. @throws ServiceError `not-found`
 */
export async function findRequestedRun(
  { requestId, messageId, sessionId }: z.infer<typeof namesQuery>,
  userId: string,
  options: ChatStreamOptions,
): Promise<Run | undefined> {
  const { agent, runs, threads } = options
  if (requestId !== undefined) return requireRun(await findRun(userId, runIdOf(requestId), options))
  if (messageId !== undefined) {
    const threadId = await threadOf(messageId, sessionId, userId, options)
    const own = threadId && (await findRun(userId, messageKey(agent, threadId, messageId), options))
    const run = own || requireRun(await findRun(userId, runIdOf(messageId), options))
    if (sessionId === undefined || run.threadId === threadId) return run
    throw noSuchRequest()
  }
  if (sessionId !== undefined) return runs.current((await threads.get(userId, sessionId, agent)).id)
  throw new ServiceError('invalid-request', 'sessionId, messageId or requestId is required')
}

/** A request's id ends with its run's. */
function runIdOf(name: string): string {
  return name.replace(/^req_\d+_(?=run_)/, '')
}

/** By run id, message id or key, of this agent. */
export async function findRun(
  userId: string,
  name: string,
  { agent, runs }: Pick<ChatStreamOptions, 'agent' | 'runs'>,
): Promise<Run | undefined> {
  try {
    const run = await runs.get(userId, name)
    return run.agent === agent ? run : undefined
  } catch (error) {
    if (isServiceError(error, 'not-found')) return undefined
    throw error
  }
}

async function threadOf(
  messageId: string,
  sessionId: string | undefined,
  userId: string,
  { agent, threads, history, projector }: ChatStreamOptions,
): Promise<string | undefined> {
  if (sessionId !== undefined) return (await threads.get(userId, sessionId, agent)).id
  await projector.catchUp(userId)
  return history.threadOf(userId, agent, messageId)
}

function requireRun(run: Run | undefined): Run {
  if (run) return run
  throw noSuchRequest()
}

function noSuchRequest(): ServiceError {
  return new ServiceError('not-found', 'There is no such request.')
}
