import type { Clock } from '../clock.ts'

type SteppingClock = {
  readonly clock: Clock
  /** How long was waited each time, in ms. */
  readonly paused: number[]
  /** Lets time go by. */
  readonly go: (ms: number) => void
}

/** A clock that stands still but for pauses, which take no time at all; `standing`: not even then. For tests. */
export function steppingClock({ standing = false } = {}): SteppingClock {
  let time = Date.parse('2026-11-22T10:00:00Z')
  const paused: number[] = []
  const go = (ms: number): void => {
    time += ms
  }
  const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted()
    paused.push(ms)
    if (!standing) go(ms)
  }
  return { clock: { now: () => new Date(time), pause }, paused, go }
}
