/** The time of a tool. It stands still while the tool waits for its user. */
export interface ToolClock {
  /** Aborts once the time is over. */
  readonly signal: AbortSignal
  stop(): void
  go(): void
}

export function createToolClock(ms: number): ToolClock {
  const control = new AbortController()
  let rest = ms
  let since = 0
  let timer: NodeJS.Timeout | undefined
  const stop = (): void => {
    if (!timer) return
    clearTimeout(timer)
    timer = undefined
    rest -= performance.now() - since
  }
  const go = (): void => {
    stop()
    since = performance.now()
    timer = setTimeout(() => control.abort(), Math.max(0, rest)).unref()
  }
  return { signal: control.signal, stop, go }
}
