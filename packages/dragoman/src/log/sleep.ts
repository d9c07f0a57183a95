/** Pauses of at least so many ms end together with others, */
const SHARED_MS = 1000
/** at a multiple of this, in ms. */
const BEAT_MS = 500
/** A loop that was begun at such a moment has worked for so long, in ms, or was begun a little early. */
const WORK_MS = 50
/** A longer time does not fit into a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1

/**
 * Resolves after a time in ms, or at once when `signal` aborts. A time from a second on may be shortened by half a
 * second: such pauses end at common moments, so that a server that does nothing wakes once for all its loops.
 */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const end = (): void => {
      cancel()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const cancel = ms < SHARED_MS ? onTimeout(ms, end) : onBeat(ms, end)
    signal.addEventListener('abort', end)
  })
}

function onTimeout(ms: number, act: () => void): () => void {
  const timer = setTimeout(act, ms)
  return () => clearTimeout(timer)
}

type Beat = { readonly timer: NodeJS.Timeout; readonly acts: Set<() => void> }
const beats = new Map<number, Beat>()

/** Returns a function that cancels it. */
function onBeat(ms: number, act: () => void): () => void {
  const at = Math.floor((performance.now() + ms + WORK_MS) / BEAT_MS) * BEAT_MS
  const beat = beats.get(at) ?? scheduleBeat(at)
  beat.acts.add(act)
  return () => {
    beat.acts.delete(act)
    if (beat.acts.size > 0) return
    clearTimeout(beat.timer)
    beats.delete(at)
  }
}

function scheduleBeat(at: number): Beat {
  const acts = new Set<() => void>()
  const ring = (): void => {
    beats.delete(at)
    for (const act of acts) act()
  }
  const beat = { timer: setTimeout(ring, Math.min(at - performance.now(), MAX_TIMER_MS)), acts }
  beats.set(at, beat)
  return beat
}
