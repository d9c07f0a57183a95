/** Pauses of at least so many ms end together with others, at a multiple of this; */
const BEAT_MS = 1000
/** those of at least so many ms at a multiple of this, */
const SLOW_BEAT_MS = 2000
/** and while nothing happens in the process, at a multiple of this. It is less than half of a lease. */
const IDLE_BEAT_MS = 7000
/** Nothing happens once the last activity is so long ago. */
const IDLE_AFTER_MS = 10_000
/** A loop that was begun at such a moment may have been begun so many ms early. */
const EARLY_MS = 50
/** A longer time does not fit into a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1

type Beat = { readonly at: number; readonly timer: NodeJS.Timeout; readonly sleepers: Set<Sleeper> }
/** `due`: when its pause would end if it were alone, by `performance.now()`. */
type Sleeper = { readonly wake: () => void; readonly due: number; beat?: Beat }

const beats = new Map<number, Beat>()
let lastActivity = performance.now()

/**
 * Resolves after a time in ms, or at once when `signal` aborts. Pauses from a second on end at common moments, so that
 * a server that does nothing wakes once for all its loops: they take half of the time at least, and at most a second
 * more. Those from two seconds on take up to seven seconds more while nothing happens: see `noteActivity`.
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

/** Tells that a user has sent a request, or that a run goes on: pauses that were made longer end earlier again. */
export function noteActivity(): void {
  const wasIdle = isIdle()
  lastActivity = performance.now()
  if (!wasIdle) return
  const sleepers = Array.from(beats.values(), (beat) => Array.from(beat.sleepers)).flat()
  for (const sleeper of sleepers) {
    const at = nextBeat(sleeper.due)
    if (!sleeper.beat || sleeper.beat.at <= at) continue
    leave(sleeper)
    join(sleeper, at)
  }
}

function isIdle(): boolean {
  return performance.now() - lastActivity > IDLE_AFTER_MS
}

function onTimeout(ms: number, act: () => void): () => void {
  const timer = setTimeout(act, ms)
  return () => clearTimeout(timer)
}

/** Returns a function that cancels it. */
function onBeat(ms: number, wake: () => void): () => void {
  const now = performance.now()
  const due = now + ms
  const long = isIdle() ? IDLE_BEAT_MS : SLOW_BEAT_MS
  const length = ms < SLOW_BEAT_MS ? BEAT_MS : long
  const before = Math.floor((due + EARLY_MS) / length) * length
  const sleeper = { wake, due }
  join(sleeper, before - now < ms / 2 ? before + length : before)
  return () => leave(sleeper)
}

/** The first moment from a time on at which long pauses end, if it has not passed. */
function nextBeat(time: number): number {
  return Math.ceil(Math.max(time - EARLY_MS, performance.now()) / SLOW_BEAT_MS) * SLOW_BEAT_MS
}

function join(sleeper: Sleeper, at: number): void {
  const beat = beats.get(at) ?? scheduleBeat(at)
  beat.sleepers.add(sleeper)
  sleeper.beat = beat
}

function leave(sleeper: Sleeper): void {
  if (!sleeper.beat) return
  const { sleepers, timer, at } = sleeper.beat
  sleepers.delete(sleeper)
  if (sleepers.size > 0) return
  clearTimeout(timer)
  beats.delete(at)
}

function scheduleBeat(at: number): Beat {
  const sleepers = new Set<Sleeper>()
  const ring = (): void => {
    beats.delete(at)
    for (const { wake } of sleepers) wake()
  }
  const beat = { at, timer: setTimeout(ring, Math.min(at - performance.now(), MAX_TIMER_MS)), sleepers }
  beats.set(at, beat)
  return beat
}
