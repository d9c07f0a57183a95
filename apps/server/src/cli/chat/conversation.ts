import { resumableFetch } from '@dragoman/client'

import { ServiceError } from 'dragoman/errors'
import type { Json } from 'dragoman/events'
import type { OperationResult, Thread } from '@dragoman/client/v1'
import type { Api } from '../remote/api.ts'

export type OpenThread = OperationResult<'GET /v1/threads/{id}'>

/** What is said, and how. */
export type Message = {
  readonly text: string
  readonly model?: string | undefined
  readonly context?: { readonly [key: string]: Json } | undefined
}

/** Opens a new thread, of the server's default agent if none is named. */
export async function openThread(api: Api, agent: string | undefined, signal?: AbortSignal): Promise<Thread> {
  const options = signal ? { signal } : {}
  const named = agent ?? (await findDefaultAgent(api, options))
  return api.call('POST /v1/threads', { body: named === undefined ? {} : { agent: named }, ...options })
}

export async function findThread(api: Api, id: string): Promise<OpenThread> {
  return api.call('GET /v1/threads/{id}', { path: { id } })
}

async function findDefaultAgent(
  api: Api,
  options: { readonly signal?: AbortSignal },
): Promise<string | undefined> {
  const { agents } = await api.call('GET /v1/agents', options)
  return agents[0]?.id
}

/** The thread with the latest message. @throws ServiceError `not-found` if there is none */
export async function findLatestThread(api: Api, agent: string | undefined): Promise<OpenThread> {
  const { threads } = await api.call('GET /v1/threads', { query: { limit: 1, agent } })
  const [latest] = threads
  if (!latest) throw new ServiceError('not-found', 'There is no thread to continue yet.')
  return findThread(api, latest.id)
}

/**
 * Starts a run. A request whose response is lost is sent again and takes effect once. In a busy thread the message
 * waits for its turn.
 */
export async function startRun(
  api: Api,
  threadId: string,
  { text, model, context }: Message,
  signal: AbortSignal,
): Promise<Response> {
  return api.send('POST /v1/threads/{id}/runs', {
    path: { id: threadId },
    body: {
      message: text,
      policy: 'enqueue',
      ...(model !== undefined && { model }),
      ...(context && { context }),
    },
    fetch: resumableFetch({ fetch: api.fetch }),
    signal,
  })
}

/** Stops the current run of a thread. */
export async function stopThread(api: Api, threadId: string): Promise<void> {
  await api.call('POST /v1/threads/{id}/stop', { path: { id: threadId } })
}
