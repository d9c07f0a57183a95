/** Aborts after `ms` without a sign of life. Each piece restarts the time. */
export interface IdleTimeout {
  /** Aborts when the caller's signal does, or after the time. */
  readonly signal: AbortSignal
  readonly isOver: boolean
  within<T>(work: () => Promise<T>): Promise<T>
  pieces(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void>
  end(): void
}

export function idleTimeout(ms: number, caller: AbortSignal): IdleTimeout {
  const timeout = new AbortController()
  let timer = setTimeout(() => timeout.abort(), ms)
  const restart = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => timeout.abort(), ms)
  }
  return {
    signal: AbortSignal.any([caller, timeout.signal]),
    get isOver() {
      return timeout.signal.aborted
    },
    async within(work) {
      const done = await work()
      restart()
      return done
    },
    async *pieces(body) {
      for await (const piece of body) {
        restart()
        yield piece
      }
    },
    end: () => clearTimeout(timer),
  }
}
