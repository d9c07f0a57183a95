/** Waits, but not for ever: whatever comes begins the time anew. */
export interface Patience {
  /** Aborts when whoever asked has gone, or the time is over. */
  readonly signal: AbortSignal
  readonly isOver: boolean
  within<T>(work: () => Promise<T>): Promise<T>
  pieces(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void>
  end(): void
}

export function patient(ms: number, gone: AbortSignal): Patience {
  const over = new AbortController()
  let timer = setTimeout(() => over.abort(), ms)
  const again = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => over.abort(), ms)
  }
  return {
    signal: AbortSignal.any([gone, over.signal]),
    get isOver() {
      return over.signal.aborted
    },
    async within(work) {
      const done = await work()
      again()
      return done
    },
    async *pieces(body) {
      for await (const piece of body) {
        again()
        yield piece
      }
    },
    end: () => clearTimeout(timer),
  }
}
