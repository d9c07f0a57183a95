/** Sees to it that what is waited for comes. */
export interface Watchdog {
  /** Aborts when the caller gives up, when its owner stops, and with a `TimeoutError` when a wait was too long. */
  readonly signal: AbortSignal
  /** Begins or ends a wait. One that begins again is a new one. */
  wait(waiting: boolean): void
  /** Aborts what may still go on, and lets go of timer and caller. */
  stop(reason?: unknown): void
}

/**
 * Watches waits of at most `ms` (0: any), one at a time. It has one timer, which is not armed anew for each wait: it looks, when it
 * comes, for how long the present one has been.
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
