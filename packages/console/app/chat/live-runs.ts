import { followRun, isLogReplaced, type LogEntry } from '@dragoman/client'
import { useSyncExternalStore } from 'react'

import { checkSession, hasSessionEnded, onSessionResume } from '../api/session.ts'
import { changeBy, newLiveRun, waitsAfter, type LiveRun } from './live-run.ts'
import { takeSlot } from './run-slots.ts'
import { serverUrl } from '../api/server-url.ts'

type Follower = {
  run: LiveRun
  isScheduled: boolean
  readonly onEnd: (() => Promise<void>)[]
  /** The last entry that was read. */
  last: LogEntry | undefined
  /** Whether it waits for an answer, as far as the log was read. */
  isWaiting: boolean
  /** Ends the connection. Undefined while there is none. */
  connection: AbortController | undefined
  /** Lets it be read although other tabs have all connections. */
  hurry: AbortController
}

/** A run that waits for so long is left: a browser has six connections to a server, and answers need one. */
const WAIT_MS = 1000

/** A response that waits for so long is left, and its connection with it. */
const SLOT_MS = 300

/** The runs of a tab that has been out of view for so long are left. */
const HIDDEN_MS = 5000

/** Screens draw at most 60 times a second, and a hidden page does not draw. */
const DRAW_INTERVAL_MS = 32

const followers = new Map<string, Follower>()
/** The threads that pages show. */
const openThreads = new Set<string>()
let isInView = true
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

/**
 * Follows a run to its end, through lost connections and restarts of the server, once for each run. While it waits for
 * an answer, or its thread is not shown, it has no connection.
 */
export function followLiveRun({ runId, threadId, messageId, response, onEnd }: Followed): void {
  const existing = followers.get(runId)
  if (existing) {
    void response?.body?.cancel()
    if (existing.run.state === 'active') existing.onEnd.push(onEnd)
    else void onEnd()
    return
  }
  const run = newLiveRun({ runId, threadId, messageId })
  const follower: Follower = {
    run,
    isScheduled: false,
    onEnd: [onEnd],
    last: undefined,
    isWaiting: false,
    connection: undefined,
    hurry: new AbortController(),
  }
  followers.set(runId, follower)
  publish()
  if (isShown(threadId)) void followToEnd(follower, response)
  else void response?.body?.cancel()
}

/** Follows the runs of a thread for as long as it is on the screen. Returns what leaves them. */
export function showThread(threadId: string): () => void {
  openThreads.add(threadId)
  for (const follower of followersOf(threadId)) if (!follower.isWaiting) rejoin(follower)
  return () => {
    openThreads.delete(threadId)
    for (const { connection } of followersOf(threadId)) connection?.abort()
  }
}

function isShown(threadId: string): boolean {
  return isInView && !hasSessionEnded() && openThreads.has(threadId)
}

/** Leaves the runs of a tab that is out of view: many tabs have six connections together. */
function watchView(): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  document.addEventListener('visibilitychange', () => {
    clearTimeout(timer)
    if (document.visibilityState === 'hidden') {
      timer = setTimeout(() => {
        isInView = false
        for (const { connection } of followers.values()) connection?.abort()
      }, HIDDEN_MS)
      return
    }
    isInView = true
    rejoinAll()
  })
}
watchView()
onSessionResume(rejoinAll)

function rejoinAll(): void {
  for (const follower of followers.values()) if (!follower.isWaiting) rejoin(follower)
}

/** Looks again at the runs of a thread that waited: all, or those that do not wait any more. */
export function rejoinRuns(threadId: string, isOver: (runId: string) => boolean = () => true): void {
  for (const follower of followersOf(threadId)) if (isOver(follower.run.runId)) rejoin(follower)
}

/** Reads the runs of a thread to their end that have ended, although other tabs have all connections. */
export function finishRuns(threadId: string, liveRunId: string | undefined): void {
  for (const { run, hurry } of followersOf(threadId)) if (run.runId !== liveRunId) hurry.abort()
}

function followersOf(threadId: string): Follower[] {
  return [...followers.values()].filter(({ run }) => run.threadId === threadId)
}

function rejoin(follower: Follower): void {
  const isLeft = follower.connection === undefined && follower.run.state === 'active'
  if (isLeft && isShown(follower.run.threadId)) void followToEnd(follower, undefined)
}

async function followToEnd(follower: Follower, response: Response | undefined): Promise<void> {
  const connection = new AbortController()
  follower.connection = connection
  await follow(follower, response, connection)
  follower.connection = undefined
  if (follower.run.state === 'active') {
    // The thread may have been left and shown again meanwhile.
    if (!follower.isWaiting) rejoin(follower)
    return
  }
  // The stored messages replace the live ones without a gap.
  await Promise.allSettled(follower.onEnd.map((act) => act()))
  followers.delete(follower.run.runId)
  publish()
}

async function follow(
  follower: Follower,
  response: Response | undefined,
  connection: AbortController,
): Promise<void> {
  const { runId } = follower.run
  const { signal } = connection
  let timer: ReturnType<typeof setTimeout> | undefined
  const leaveIfWaiting = (): void => {
    clearTimeout(timer)
    if (follower.isWaiting) timer = setTimeout(() => connection.abort(), WAIT_MS)
  }
  const onConnection = (connected: boolean): void =>
    update(follower, { connection: connected ? 'restored' : 'lost' })
  const slot = await takeSlotFor(follower, response, signal)
  if (!slot) return
  try {
    leaveIfWaiting()
    const entries = followRun(slot.response ?? serverUrl(`/v1/runs/${runId}/events`), {
      ...(follower.last && { after: follower.last }),
      signal,
      onConnection,
    })
    for await (const entry of entries) {
      follower.last = entry
      follower.isWaiting = waitsAfter(entry.event, follower.isWaiting)
      update(follower, changeBy(entry, follower.run))
      leaveIfWaiting()
    }
    update(follower, { state: 'ended' })
  } catch (error) {
    if (signal.aborted) return
    if (isLogReplaced(error)) return beginAgain(follower)
    // The run goes on, and is read on when the user has signed in again.
    if (!isUnauthorized(error) || !(await checkSession())) update(follower, { state: 'unreadable' })
  } finally {
    slot.release()
    clearTimeout(timer)
  }
}

/** The server's database was restored to an earlier point: what was shown of the run is not what it has now. */
function beginAgain(follower: Follower): void {
  follower.last = undefined
  follower.isWaiting = false
  update(follower, newLiveRun({ ...follower.run, messageId: follower.run.message.id }))
}

/** Without the response that started the run, if it had to wait for long. Undefined if the run was left meanwhile. */
async function takeSlotFor(follower: Follower, response: Response | undefined, signal: AbortSignal) {
  follower.hurry = new AbortController()
  let usable = response
  const leave = (): void => {
    void usable?.body?.cancel()
    usable = undefined
  }
  const timer = setTimeout(leave, SLOT_MS)
  const release = await takeSlot(signal, follower.hurry.signal)
  clearTimeout(timer)
  if (release) return { release, response: usable }
  leave()
  return undefined
}

function isUnauthorized(error: unknown): boolean {
  const { cause } = error as { readonly cause?: { readonly status?: number } }
  return cause?.status === 401
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
