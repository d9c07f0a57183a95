import { useSyncExternalStore } from 'react'

let isOpen = false
const listeners = new Set<() => void>()

/** Opens or closes the navigation of narrow screens. */
export function openNavigation(open: boolean): void {
  isOpen = open
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function useNavigationOpen(): boolean {
  return useSyncExternalStore(subscribe, () => isOpen)
}
