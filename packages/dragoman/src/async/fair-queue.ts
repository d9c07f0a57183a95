/** Does work one piece at a time. */
export interface FairQueue {
  /** Does the work when it is the key's turn. The work must end: nothing else lets the next one begin. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>
}

/** After a piece of work, at most so many ms pass without one. */
const MAX_REST_MS = 100

/**
 * Does one piece of work at a time. Keys take turns, each with its work in order of arrival: a key with much work makes
 * another wait for one piece of it. With `rest`, no work begins for so many times as long as the last piece took: what
 * is not in the queue has that time to itself.
 */
export function fairQueue({ rest = 0 }: { readonly rest?: number } = {}): FairQueue {
  /** By key, in the order of their turns. */
  const waiting = new Map<string, (() => void)[]>()
  let isBusy = false
  const beginNext = (): void => {
    const [next] = waiting
    if (!next) {
      isBusy = false
      return
    }
    const [key, begins] = next
    const begin = begins.shift()
    waiting.delete(key)
    if (begins.length > 0) waiting.set(key, begins)
    begin?.()
  }
  const add = (key: string, begin: () => void): void => {
    const begins = waiting.get(key)
    if (begins) begins.push(begin)
    else waiting.set(key, [begin])
  }
  return {
    async run(key, work) {
      if (isBusy) await new Promise<void>((resolve) => add(key, resolve))
      else isBusy = true
      const begin = performance.now()
      try {
        return await work()
      } finally {
        const restMs = Math.min(rest * (performance.now() - begin), MAX_REST_MS)
        if (restMs < 1) beginNext()
        else setTimeout(beginNext, restMs)
      }
    },
  }
}
