import {
  keepPreviousData,
  queryOptions,
  QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  type InfiniteData,
} from '@tanstack/react-query'

import { announceChange } from './other-tabs.ts'
import { request, RequestError } from './request.ts'
import type {
  Agent,
  Answer,
  Caller,
  MessagePage,
  Model,
  OpenThread,
  Question,
  SearchResult,
  Thread,
} from './types.ts'

const MESSAGES_PER_PAGE = 100
const THREADS_PER_PAGE = 100
/** Nothing tells a page of changes by other clients, so it looks again. */
const THREAD_INTERVAL_MS = 4000
const LIST_INTERVAL_MS = 8000

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 1000,
      // A refused request stays refused; a server that restarts comes back.
      retry: (count, error) =>
        (!(error instanceof RequestError) || error.status === 0 || error.status >= 500) && count < 3,
    },
  },
})

const keys = {
  agents: ['agents'],
  caller: ['caller'],
  models: (agent: string) => ['models', agent],
  threads: ['threads'],
  thread: (id: string) => ['thread', id],
  messages: (id: string) => ['messages', id],
  questions: ['questions'],
} as const

const agentsQuery = queryOptions({
  queryKey: keys.agents,
  queryFn: () => request<{ agents: readonly Agent[] }>('/v1/agents').then(({ agents }) => agents),
  staleTime: 60_000,
})

export function useAgents() {
  return useQuery(agentsQuery)
}

export function useCaller() {
  return useQuery({
    queryKey: keys.caller,
    queryFn: () => request<Caller>('/auth/verify'),
    staleTime: 60_000,
  })
}

/** Whether the user is a guest, who may use some agents and their own threads. */
export function useIsGuest(): boolean {
  const { data } = useCaller()
  return data?.valid === true && data.guest === true
}

/** The agents, for a message that is sent before they are shown. @throws RequestError */
export function loadAgents(): Promise<readonly Agent[]> {
  return queryClient.ensureQueryData(agentsQuery)
}

export function useModels(agent: string, enabled: boolean) {
  return useQuery({
    queryKey: keys.models(agent),
    queryFn: () =>
      request<{ models: readonly Model[] }>(`/v1/models?agent=${encodeURIComponent(agent)}`).then(
        ({ models }) => models,
      ),
    enabled,
    staleTime: 60_000,
  })
}

export function useThreads(archived: boolean) {
  return useInfiniteQuery({
    queryKey: [...keys.threads, archived],
    initialPageParam: '',
    queryFn: ({ pageParam }) => {
      const before = pageParam === '' ? '' : `&before=${pageParam}`
      return request<{ threads: readonly Thread[] }>(
        `/v1/threads?limit=${THREADS_PER_PAGE}&archived=${archived}${before}`,
      ).then(({ threads }) => threads)
    },
    getNextPageParam: (page) => (page.length === THREADS_PER_PAGE ? page.at(-1)?.id : undefined),
    refetchInterval: LIST_INTERVAL_MS,
  })
}

export function useThread(id: string) {
  return useQuery({
    queryKey: keys.thread(id),
    queryFn: () => request<OpenThread>(`/v1/threads/${id}`),
    refetchInterval: THREAD_INTERVAL_MS,
  })
}

/** The messages of a thread, newest page first. */
export function useMessages(id: string) {
  return useInfiniteQuery({
    queryKey: keys.messages(id),
    initialPageParam: '',
    queryFn: ({ pageParam }) => {
      const before = pageParam === '' ? '' : `&before=${pageParam}`
      return request<MessagePage>(`/v1/threads/${id}/messages?limit=${MESSAGES_PER_PAGE}${before}`)
    },
    getNextPageParam: (page) => page.before,
  })
}

export type MessagePages = InfiniteData<MessagePage>

/** Ids of the thread's messages that this page has loaded. */
export function loadedMessageIds(threadId: string): readonly string[] {
  const { pages = [] } = queryClient.getQueryData<MessagePages>(keys.messages(threadId)) ?? {}
  return pages.flatMap(({ messages }) => messages.map(({ id }) => id))
}

export function useQuestions() {
  return useQuery({
    queryKey: keys.questions,
    queryFn: () =>
      request<{ questions: readonly Question[] }>('/v1/questions').then(({ questions }) => questions),
    refetchInterval: LIST_INTERVAL_MS,
  })
}

export function useSearch(words: string) {
  return useQuery({
    queryKey: ['search', words],
    queryFn: ({ signal }) => request<SearchResult>(`/v1/search?q=${encodeURIComponent(words)}`, { signal }),
    enabled: words !== '',
    placeholderData: keepPreviousData,
  })
}

/** Reads again what may have changed in a thread, here and in the other tabs. */
export async function refreshThread(id: string): Promise<void> {
  announceChange()
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: keys.messages(id) }),
    queryClient.invalidateQueries({ queryKey: keys.thread(id) }),
    queryClient.invalidateQueries({ queryKey: keys.threads }),
    queryClient.invalidateQueries({ queryKey: keys.questions }),
  ])
}

type ThreadChange = {
  readonly title?: string
  readonly archived?: boolean
  readonly chosen?: string
  readonly model?: string | null
}

export function useChangeThread() {
  return useMutation({
    mutationFn: ({ id, change }: { readonly id: string; readonly change: ThreadChange }) =>
      request<Thread>(`/v1/threads/${id}`, { method: 'PATCH', body: change }),
    onSuccess: ({ id }) => refreshThread(id),
  })
}

export function useDeleteThread() {
  return useMutation({
    mutationFn: (id: string) => request<undefined>(`/v1/threads/${id}`, { method: 'DELETE' }),
    onSuccess: async (_nothing, id) => {
      queryClient.removeQueries({ queryKey: keys.messages(id) })
      queryClient.removeQueries({ queryKey: keys.thread(id) })
      announceChange()
      await queryClient.invalidateQueries({ queryKey: keys.threads })
    },
  })
}

export function useAnswer() {
  return useMutation({
    mutationFn: ({
      runId,
      callId,
      answer,
    }: {
      readonly runId: string
      readonly callId: string
      readonly answer: Answer
    }) => request<{ run: { threadId: string } }>(`/v1/runs/${runId}/answers`, { body: { callId, answer } }),
    onSettled: async (answered) => {
      if (answered) await refreshThread(answered.run.threadId)
      else await queryClient.invalidateQueries({ queryKey: keys.questions })
    },
  })
}

export async function stopRun(id: string): Promise<void> {
  await request(`/v1/runs/${id}/stop`, { method: 'POST' })
}

export async function stopThread(id: string): Promise<void> {
  await request(`/v1/threads/${id}/stop`, { method: 'POST' })
  await refreshThread(id)
}
