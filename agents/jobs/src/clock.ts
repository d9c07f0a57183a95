import { setTimeout as pause } from 'node:timers/promises'

/** How time goes, for those whose work depends on it: tests let it go as they like. */
export interface Clock {
  now(): Date
  /** Waits. @throws the signal's reason, as soon as it aborts */
  pause(ms: number, signal: AbortSignal): Promise<void>
}

export const clock: Clock = {
  now: () => new Date(),
  pause: (ms, signal) => pause(ms, undefined, { signal }),
}
