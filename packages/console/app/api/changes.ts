import { useSyncExternalStore } from 'react'

import { keys, queryClient } from './queries.ts'
import { readChanges, type Change, type News } from './read-changes.ts'
import { checkSession, hasSessionEnded, onSessionResume, resumeSession } from './session.ts'
import { markUnread } from './unread.ts'

/** A user who is known and may not follow changes now is asked for again so much later. */
const REFUSED_MS = 10_000
/** Changes that come together are asked for once. */
const GATHER_MS = 50

const listeners = new Set<() => void>()
let isReachable = true
let restart: () => void = () => undefined

/** Keeps what is shown up to date with the server, for as long as the page is open. */
export function followChanges(): void {
  restart = typeof SharedWorker === 'undefined' ? readHere() : readInWorker()
  onSessionResume(restart)
}

function readInWorker(): () => void {
  const { port } = new SharedWorker(new URL('./change-worker.ts', import.meta.url), {
    type: 'module',
    name: 'dragoman-changes',
  })
  port.addEventListener('message', ({ data }: MessageEvent<News>) => take(data))
  port.start()
  addEventListener('pagehide', () => port.postMessage('leave'))
  // The browser keeps pages that were left, and shows them again.
  addEventListener('pageshow', ({ persisted }) => persisted && port.postMessage('return'))
  return () => port.postMessage('restart')
}

/** For browsers without shared workers: each tab has its own connection. */
function readHere(): () => void {
  let reading: AbortController | undefined
  const start = (): void => {
    reading?.abort()
    reading = new AbortController()
    void readChanges(take, reading.signal)
  }
  start()
  return start
}

function take(news: News): void {
  if (news.type === 'signed-out') {
    void checkSession().then((hasEnded) => hasEnded || setTimeout(restart, REFUSED_MS))
    return
  }
  if (news.type === 'lost') return setReachable(false)
  setReachable(true)
  // The user has signed in again in another tab.
  if (hasSessionEnded()) void checkSession().then((hasEnded) => hasEnded || resumeSession())
  gather(news)
}

let pending: Change[] = []

function gather(change: Change): void {
  if (pending.push(change) > 1) return
  setTimeout(() => {
    const changes = pending
    pending = []
    for (const each of changes) noteUnread(each)
    const stale = new Map(changes.flatMap(staleKeys).map((key) => [key.join(' '), key]))
    for (const queryKey of stale.values()) void queryClient.invalidateQueries({ queryKey })
  }, GATHER_MS)
}

function staleKeys(change: Change): readonly (readonly string[])[] {
  const lists = [keys.threads, keys.runs, keys.questions]
  switch (change.type) {
    case 'changed':
      return [...lists, keys.allThreads]
    case 'questions.changed':
      return [keys.questions]
    case 'thread.deleted':
      return [...lists, keys.thread(change.threadId)]
    case 'thread.changed':
      return [keys.threads, keys.thread(change.threadId)]
    case 'run.changed': {
      const thread = [...lists, keys.thread(change.threadId)]
      return isOver(change) ? [...thread, keys.messages(change.threadId)] : thread
    }
  }
}

function isOver({ status }: Extract<Change, { type: 'run.changed' }>): boolean {
  return status === 'finished' || status === 'failed' || status === 'cancelled'
}

function noteUnread(change: Change): void {
  if (change.type === 'run.changed' && isOver(change) && change.status !== 'cancelled')
    markUnread(change.threadId)
}

function setReachable(next: boolean): void {
  if (next === isReachable) return
  isReachable = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Whether the server could be reached when it was asked last. */
export function useIsReachable(): boolean {
  return useSyncExternalStore(subscribe, () => isReachable)
}
