import { resumableFetch } from '@dragoman/client'

import { ServiceError } from 'dragoman/errors'
import type { Json } from 'dragoman/events'
import type { Agent, Api, Run, Thread } from '../remote/api.ts'
import { threadPath } from '../remote/paths.ts'

export type OpenThread = Thread & { readonly live: Run | null }

/** What is said, and how. */
export type Message = {
  readonly text: string
  readonly model?: string | undefined
  readonly context?: { readonly [key: string]: Json } | undefined
}

/** Opens a new thread, of the server's default agent if none is named. */
export async function openThread(api: Api, agent: string | undefined, signal?: AbortSignal): Promise<Thread> {
  const options = signal ? { signal } : {}
  const body = { agent: agent ?? (await findDefaultAgent(api, options)) }
  return api.request<Thread>('/v1/threads', { body, ...options })
}

export async function findThread(api: Api, id: string): Promise<OpenThread> {
  return api.request<OpenThread>(threadPath(id))
}

async function findDefaultAgent(
  api: Api,
  options: { readonly signal?: AbortSignal },
): Promise<string | undefined> {
  const { agents } = await api.request<{ agents: readonly Agent[] }>('/v1/agents', options)
  return agents[0]?.id
}

/** The thread with the latest message. @throws ServiceError `not-found` if there is none */
export async function findLatestThread(api: Api, agent: string | undefined): Promise<OpenThread> {
  const query = new URLSearchParams({ limit: '1', ...(agent !== undefined && { agent }) })
  const { threads } = await api.request<{ threads: readonly Thread[] }>(`/v1/threads?${query.toString()}`)
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
  return api.send(`${threadPath(threadId)}/runs`, {
    body: {
      message: text,
      policy: 'enqueue',
      ...(model !== undefined && { model }),
      ...(context && { context }),
    },
    fetch: resumableFetch(),
    signal,
  })
}

/** Stops the current run of a thread. */
export async function stopThread(api: Api, threadId: string): Promise<void> {
  await api.send(`${threadPath(threadId)}/stop`, { method: 'POST' })
}
