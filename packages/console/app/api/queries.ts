import type { OperationInput } from '@dragoman/client/v1'
import {
  keepPreviousData,
  queryOptions,
  QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  type InfiniteData,
} from '@tanstack/react-query'

import { client } from './client.ts'
import { request, RequestError } from './request.ts'
import { onSessionResume, setCurrentUser } from './session.ts'
import { markUnread } from './unread.ts'
import type { Agent, Answer, Caller, MessagePage, OpenThread, Run } from './types.ts'

const MESSAGES_PER_PAGE = 100
const THREADS_PER_PAGE = 100
const MAX_LIVE_RUNS = 200

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

// What was refused in between is loaded again.
onSessionResume(() => void queryClient.invalidateQueries())

/** Of what the console itself loads. */
export const keys = {
  agents: ['agents'],
  caller: ['caller'],
  models: (agent: string) => ['models', agent],
  threads: ['threads'],
  allThreads: ['thread'],
  thread: (id: string) => ['thread', id],
  messages: (id: string) => ['messages', id],
  questions: ['questions'],
  runs: ['runs'],
} as const

const agentsQuery = queryOptions({
  queryKey: keys.agents,
  queryFn: () => client.call('GET /v1/agents').then(({ agents }) => agents),
  staleTime: 60_000,
})

export function useAgents() {
  return useQuery(agentsQuery)
}

export function useCaller() {
  return useQuery({
    queryKey: keys.caller,
    queryFn: async () => {
      const caller = await request<Caller>('/auth/verify')
      if (caller.valid) setCurrentUser(caller.user)
      return caller
    },
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
    queryFn: () => client.call('GET /v1/models', { query: { agent } }).then(({ models }) => models),
    enabled,
    staleTime: 60_000,
  })
}

export function useThreads(archived: boolean) {
  return useInfiniteQuery({
    queryKey: [...keys.threads, archived],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: before }) =>
      client
        .call('GET /v1/threads', { query: { limit: THREADS_PER_PAGE, archived, before } })
        .then(({ threads }) => threads),
    getNextPageParam: (page) => (page.length === THREADS_PER_PAGE ? page.at(-1)?.id : undefined),
  })
}

export function useThread(id: string) {
  return useQuery({
    queryKey: keys.thread(id),
    queryFn: async () => {
      const before = queryClient.getQueryData<OpenThread>(keys.thread(id))
      const thread = await client.call('GET /v1/threads/{id}', { path: { id } })
      if (before && hasOtherMessages(before, thread))
        void queryClient.invalidateQueries({ queryKey: keys.messages(id) })
      return thread
    },
  })
}

function hasOtherMessages(before: OpenThread, now: OpenThread): boolean {
  return before.updatedAt !== now.updatedAt || before.chosen !== now.chosen
}

/** The messages of a thread, newest page first. Earlier pages are larger if one of them has a message to be shown. */
export function useMessages(id: string, hasTarget: boolean) {
  const earlierLimit = MESSAGES_PER_PAGE * (hasTarget ? 5 : 1)
  return useInfiniteQuery({
    queryKey: keys.messages(id),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: before }) =>
      client.call('GET /v1/threads/{id}/messages', {
        path: { id },
        query: { limit: before === undefined ? MESSAGES_PER_PAGE : earlierLimit, before },
      }),
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
    queryFn: () => client.call('GET /v1/questions').then(({ questions }) => questions),
  })
}

export function useSearch(words: string) {
  return useQuery({
    queryKey: ['search', words],
    queryFn: ({ signal }) => client.call('GET /v1/search', { query: { q: words }, signal }),
    enabled: words !== '',
    placeholderData: keepPreviousData,
  })
}

/** The threads with a run that has not ended, and what it does. */
export function useLiveThreads(): ReadonlyMap<string, 'running' | 'waiting'> {
  const { data = [] } = useQuery({
    queryKey: [...keys.runs, 'live'],
    queryFn: async () => {
      const before = queryClient.getQueryData<readonly Run[]>([...keys.runs, 'live']) ?? []
      const { runs } = await client.call('GET /v1/runs', { query: { live: true, limit: MAX_LIVE_RUNS } })
      // Its end may have been missed while the connection was lost.
      for (const { id, threadId } of before) if (!runs.some((run) => run.id === id)) markUnread(threadId)
      return runs
    },
  })
  return new Map(data.map(({ threadId, status }) => [threadId, status === 'waiting' ? status : 'running']))
}

/** Reads again what may have changed in a thread. */
export async function refreshThread(id: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: keys.messages(id) }),
    queryClient.invalidateQueries({ queryKey: keys.thread(id) }),
    queryClient.invalidateQueries({ queryKey: keys.threads }),
    queryClient.invalidateQueries({ queryKey: keys.questions }),
  ])
}

type ThreadChange = OperationInput<'PATCH /v1/threads/{id}'>['body']

export function useChangeThread() {
  return useMutation({
    mutationFn: ({ id, change }: { readonly id: string; readonly change: ThreadChange }) =>
      client.call('PATCH /v1/threads/{id}', { path: { id }, body: change }),
    onSuccess: ({ id }) => refreshThread(id),
  })
}

export function useDeleteThread() {
  return useMutation({
    mutationFn: (id: string) => client.call('DELETE /v1/threads/{id}', { path: { id } }),
    onSuccess: async (_nothing, id) => {
      queryClient.removeQueries({ queryKey: keys.messages(id) })
      queryClient.removeQueries({ queryKey: keys.thread(id) })
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
    }) => client.call('POST /v1/runs/{id}/answers', { path: { id: runId }, body: { callId, answer } }),
    onSettled: async (answered) => {
      if (answered) await refreshThread(answered.run.threadId)
      else await queryClient.invalidateQueries({ queryKey: keys.questions })
    },
  })
}

export async function stopRun(id: string): Promise<void> {
  await client.call('POST /v1/runs/{id}/stop', { path: { id } })
}

export async function stopThread(id: string): Promise<void> {
  await client.call('POST /v1/threads/{id}/stop', { path: { id } })
  await refreshThread(id)
}
