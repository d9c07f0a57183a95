import { useSyncExternalStore } from 'react'
import { serverUrl } from './server-url.ts'

const USER_KEY = 'dragoman.user'
const UNKNOWN = ''

const listeners = new Set<() => void>()
const onResumeActs = new Set<() => void>()
let isEnded = false
let pageUser = localStorage.getItem(USER_KEY) ?? UNKNOWN

/** The user of this page, as far as it is known. What is kept in the browser is kept under this name. */
export function currentUser(): string {
  return pageUser
}

/**
 * Says whose requests the server takes those of this page for. The page of another user is left for `path`: then it
 * returns false.
 */
export function setCurrentUser(user: string, path?: string): boolean {
  localStorage.setItem(USER_KEY, user)
  if (pageUser === UNKNOWN) pageUser = user
  if (pageUser !== user) location.assign(path === undefined ? location.pathname : serverUrl(path))
  return pageUser === user
}

// Another tab has signed in another user, whose cookie this page would send, too.
addEventListener('storage', ({ key, newValue }) => {
  const isOther = key === USER_KEY && newValue !== null && newValue !== pageUser
  if (isOther && pageUser !== UNKNOWN) location.assign(serverUrl('/'))
})

/** Forgets the user, and what was kept of the page. */
export function forgetUser(): void {
  sessionStorage.clear()
  localStorage.removeItem(USER_KEY)
}

/**
 * Called when the server has refused a request for lack of a session. It refuses guests what is not for them, too: so
 * it is asked who the user is. Resolves with whether the session has ended.
 */
export async function checkSession(): Promise<boolean> {
  const response = await fetch(serverUrl('/auth/verify')).catch(() => undefined)
  if (!response?.ok) return false
  const { valid } = (await response.json()) as { readonly valid: boolean }
  setEnded(!valid)
  return !valid
}

/** Called when the user has signed in again: what waited for it goes on. */
export function resumeSession(): void {
  setEnded(false)
  for (const act of onResumeActs) act()
}

/** Calls back each time the user has signed in again. */
export function onSessionResume(act: () => void): void {
  onResumeActs.add(act)
}

export function hasSessionEnded(): boolean {
  return isEnded
}

function setEnded(next: boolean): void {
  if (next === isEnded) return
  isEnded = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Whether the server does not know the user any more. */
export function useSessionEnded(): boolean {
  return useSyncExternalStore(subscribe, hasSessionEnded)
}
