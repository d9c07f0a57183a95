import { setTimeout as wait } from 'node:timers/promises'

/** Resolves with the work, or after so many ms without it. */
export async function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
  const timer = new AbortController()
  const timeout = wait(ms, undefined, { signal: timer.signal }).catch(() => undefined)
  await Promise.race([work, timeout])
  timer.abort()
}
