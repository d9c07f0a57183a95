/** Waits, but not for ever: whatever comes begins the time anew. */
export interface IdleTimeout {
  /** Aborts when whoever asked has gone, or the time is over. */
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
