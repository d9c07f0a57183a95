import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'

const POLL_MS = 1

/** How long the event loop has had nothing to do since the process started, in ms. Where nobody measures it, always. */
export function loopIdleMs(): number {
  const { idle, active } = performance.eventLoopUtilization()
  return active === 0 ? performance.now() : idle
}

/** Resolves once the event loop has had nothing to do for so many ms in all, or after `maxMs`. */
export async function waitForIdleLoop(ms: number, maxMs: number): Promise<void> {
  const idleBefore = loopIdleMs()
  const start = performance.now()
  while (loopIdleMs() - idleBefore < ms && performance.now() - start < maxMs) await pause(POLL_MS)
}
