import { emptyMessage, fold, followRun, type LogEntry, type RunEvent } from '@dragoman/client'
import { useSyncExternalStore } from 'react'

import type { AssistantMessage, UserPart } from '../api/types.ts'

/** What is known of a run that this page follows. */
export type LiveRun = {
  readonly runId: string
  readonly threadId: string
  readonly message: AssistantMessage
  /** The user's message, once it is read from the log. */
  readonly user: { readonly id: string; readonly parts: readonly UserPart[] } | undefined
  /** Whether anything follows the user's message. Until then the run may be queued. */
  readonly hasBegun: boolean
  readonly connection: 'connected' | 'lost' | 'restored'
  /** Seconds that the model's provider asks to wait. */
  readonly waitingFor: number | undefined
  readonly state: 'active' | 'ended' | 'unreadable'
}

type Follower = { run: LiveRun; isScheduled: boolean; readonly onEnd: (() => Promise<void>)[] }

/** Screens draw at most 60 times a second, and a hidden page does not draw. */
const DRAW_INTERVAL_MS = 32

const followers = new Map<string, Follower>()
const listeners = new Set<() => void>()
let snapshot: readonly LiveRun[] = []

function publish(): void {
  snapshot = [...followers.values()].map(({ run }) => run)
  for (const listener of listeners) listener()
}

function update(follower: Follower, change: Partial<LiveRun>): void {
  follower.run = { ...follower.run, ...change }
  if (follower.isScheduled) return
  follower.isScheduled = true
  setTimeout(() => {
    follower.isScheduled = false
    publish()
  }, DRAW_INTERVAL_MS)
}

type Followed = {
  readonly runId: string
  readonly threadId: string
  readonly messageId: string
  /** The response that started the run, if it was started here. */
  readonly response?: Response | undefined
  readonly onEnd: () => Promise<void>
}

/** Follows a run to its end, through lost connections and restarts of the server. Once for each run. */
export function followLiveRun({ runId, threadId, messageId, response, onEnd }: Followed): void {
  const existing = followers.get(runId)
  if (existing) {
    void response?.body?.cancel()
    if (existing.run.state === 'active') existing.onEnd.push(onEnd)
    else void onEnd()
    return
  }
  const run: LiveRun = {
    runId,
    threadId,
    message: emptyMessage(messageId),
    user: undefined,
    hasBegun: false,
    connection: 'connected',
    waitingFor: undefined,
    state: 'active',
  }
  const follower: Follower = { run, isScheduled: false, onEnd: [onEnd] }
  followers.set(runId, follower)
  publish()
  void followToEnd(follower, response)
}

async function followToEnd(follower: Follower, response: Response | undefined): Promise<void> {
  await follow(follower, response)
  // The stored messages replace the live ones without a gap.
  await Promise.allSettled(follower.onEnd.map((act) => act()))
  followers.delete(follower.run.runId)
  publish()
}

async function follow(follower: Follower, response: Response | undefined): Promise<void> {
  const { runId } = follower.run
  const onConnection = (connected: boolean): void =>
    update(follower, { connection: connected ? 'restored' : 'lost' })
  try {
    for await (const entry of followRun(response ?? `/v1/runs/${runId}/events`, { onConnection }))
      update(follower, changeBy(entry, follower.run))
    update(follower, { state: 'ended' })
  } catch {
    update(follower, { state: 'unreadable' })
  }
}

function changeBy({ event }: LogEntry, run: LiveRun): Partial<LiveRun> {
  const message = fold(run.message, event)
  if (event.type === 'run.started') return { message, user: { id: event.messageId, parts: event.input } }
  return { message, hasBegun: true, waitingFor: secondsToWait(event, run.waitingFor) }
}

function secondsToWait(event: RunEvent, current: number | undefined): number | undefined {
  if (event.type !== 'data' || event.name !== 'waiting-for-model')
    return event.type === 'data' ? current : undefined
  const { value } = event
  const seconds =
    typeof value === 'object' && value !== null && 'retryAfter' in value ? value['retryAfter'] : undefined
  return typeof seconds === 'number' ? seconds : undefined
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** All runs that this page follows. */
export function useLiveRuns(): readonly LiveRun[] {
  return useSyncExternalStore(subscribe, () => snapshot)
}

/** Ids of the messages that the live runs of a thread write and answer. */
export function liveMessageIds(threadId: string): readonly string[] {
  const runs = snapshot.filter((run) => run.threadId === threadId)
  return runs.flatMap(({ message, user }) => (user ? [user.id, message.id] : [message.id]))
}
