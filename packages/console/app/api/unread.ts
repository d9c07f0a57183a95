import { useEffect, useSyncExternalStore } from 'react'

const STORAGE_KEY = 'dragoman.unread'
/** More are forgotten, the oldest first. */
const MAX_THREADS = 200

const listeners = new Set<() => void>()
let threads = stored()

function stored(): ReadonlySet<string> {
  try {
    return new Set(JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '[]') as string[])
  } catch {
    return new Set()
  }
}

function set(next: ReadonlySet<string>): void {
  threads = next
  localStorage.setItem(STORAGE_KEY, JSON.stringify([...next].slice(-MAX_THREADS)))
  for (const listener of listeners) listener()
}

// Another tab has changed them.
addEventListener('storage', ({ key }) => {
  if (key !== null && key !== STORAGE_KEY) return
  threads = stored()
  for (const listener of listeners) listener()
})

/** Says that a thread has an answer which its user has not seen in this browser. */
export function markUnread(threadId: string): void {
  if (!stored().has(threadId)) set(new Set([...stored(), threadId]))
}

export function forgetUnread(): void {
  set(new Set())
}

function markRead(threadId: string): void {
  set(new Set([...stored()].filter((id) => id !== threadId)))
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The threads with an answer that has not been seen. */
export function useUnread(): ReadonlySet<string> {
  return useSyncExternalStore(subscribe, () => threads)
}

/** Counts a thread as seen while it is shown and the tab is in view. */
export function useSeen(threadId: string): void {
  const isUnread = useUnread().has(threadId)
  useEffect(() => {
    if (!isUnread) return undefined
    const look = (): void => {
      if (document.visibilityState === 'visible') markRead(threadId)
    }
    look()
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [isUnread, threadId])
}
