/** The tabs of a browser follow so many runs together: over HTTP/1.1 they have six connections to a server. */
const SLOTS = 4

/**
 * Waits until this tab may follow a run. Returns what ends that, or undefined once `signal` aborts. `hurry` ends the
 * wait: the run is over, and read in a moment.
 */
export async function takeSlot(signal: AbortSignal, hurry: AbortSignal): Promise<(() => void) | undefined> {
  // Pages without TLS have no locks.
  if (!('locks' in navigator)) return () => undefined
  const { promise, resolve } = Promise.withResolvers<(() => void) | undefined>()
  const waiting = new AbortController()
  let isOver = false
  const settle = (release: (() => void) | undefined): boolean => {
    if (isOver) return false
    isOver = true
    waiting.abort()
    resolve(release)
    return true
  }
  for (let slot = 0; slot < SLOTS; slot += 1) {
    const hold = Promise.withResolvers<void>()
    const onGrant = (): Promise<void> | undefined => (settle(hold.resolve) ? hold.promise : undefined)
    // It rejects for those that are not needed any more.
    navigator.locks
      .request(`dragoman-run-${slot}`, { signal: waiting.signal }, onGrant)
      .catch(() => undefined)
  }
  signal.addEventListener('abort', () => settle(undefined))
  hurry.addEventListener('abort', () => settle(() => undefined))
  if (signal.aborted) settle(undefined)
  if (hurry.aborted) settle(() => undefined)
  return promise
}
