/** Limits how long the server waits. */
export interface Watchdog {
  /** Aborts when the caller gives up, when its owner stops, and with a `TimeoutError` when a wait was too long. */
  readonly signal: AbortSignal
  /** Starts or ends a wait. Starting again restarts the time. */
  wait(waiting: boolean): void
  /** Aborts pending work, and releases the timer and the caller's signal. */
  stop(reason?: unknown): void
}

/** What restarts the wait of a signal's watchdog. */
const restarts = new WeakMap<AbortSignal, () => void>()

/**
 * Restarts the current wait of the watchdog with this signal. Providers show with comments, pings and empty chunks that
 * they are at work, and their packages pass none of them on.
 */
export function reportLife(signal: AbortSignal | null | undefined): void {
  if (signal) restarts.get(signal)?.()
}

/**
 * Limits waits to `ms` (0: no limit), one at a time. It has a single timer that is not reset for each wait. When
 * it fires, it checks how long the current wait has lasted.
 */
export function createWatchdog(ms: number, caller?: AbortSignal): Watchdog {
  const control = new AbortController()
  let since: number | undefined
  let timer: NodeJS.Timeout | undefined

  const stop = (reason?: unknown): void => {
    clearTimeout(timer)
    since = undefined
    caller?.removeEventListener('abort', giveUp)
    control.abort(reason)
  }
  const giveUp = (): void => stop(caller?.reason)
  const checkWait = (): void => {
    timer = undefined
    if (since === undefined) return
    const remainingMs = since + ms - performance.now()
    if (remainingMs > 0) timer = setTimeout(checkWait, remainingMs)
    else stop(new DOMException('The wait was too long.', 'TimeoutError'))
  }
  restarts.set(control.signal, () => {
    if (since !== undefined) since = performance.now()
  })
  if (caller?.aborted) giveUp()
  else caller?.addEventListener('abort', giveUp, { once: true })
  return {
    signal: control.signal,
    wait(waiting) {
      since = waiting ? performance.now() : undefined
      if (waiting && ms > 0 && !control.signal.aborted) timer ??= setTimeout(checkWait, ms)
    },
    stop,
  }
}
