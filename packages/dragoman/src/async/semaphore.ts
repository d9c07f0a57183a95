export interface Semaphore {
  /**
   * Waits for a free place, in order of arrival, and does the work. The work must end: nothing else frees its place.
   */
  run<T>(work: () => Promise<T>): Promise<T>
}

/** Lets at most `limit` pieces of work run at the same time. */
export function semaphore(limit: number): Semaphore {
  const waiting: (() => void)[] = []
  let running = 0
  return {
    async run(work) {
      if (running < limit) running += 1
      else await new Promise<void>((resolve) => waiting.push(resolve))
      try {
        return await work()
      } finally {
        const next = waiting.shift()
        if (next) next()
        else running -= 1
      }
    },
  }
}
