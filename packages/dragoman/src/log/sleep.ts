/** Pauses of at least so many ms end together with others, at a multiple of this; */
const BEAT_MS = 1000
/** those of at least so many ms at a multiple of this. */
const SLOW_BEAT_MS = 2000
/** A loop that was begun at such a moment may have been begun so many ms early. */
const EARLY_MS = 50
/** A longer time does not fit into a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1

/**
 * Resolves after a time in ms, or at once when `signal` aborts. Pauses from a second on end at common moments, so that
 * a server that does nothing wakes once for all its loops: they take half of the time at least, and at most a second
 * more.
 */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const end = (): void => {
      cancel()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const cancel = ms < BEAT_MS ? onTimeout(ms, end) : onBeat(ms, end)
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
  const length = ms < SLOW_BEAT_MS ? BEAT_MS : SLOW_BEAT_MS
  const now = performance.now()
  const before = Math.floor((now + ms + EARLY_MS) / length) * length
  const at = before - now < ms / 2 ? before + length : before
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
