/** Places for those who work at the same time. */
export interface Places {
  /** Waits for a place, in the order of coming, and works there. Whoever has one has to come to an end. */
  within<T>(work: () => Promise<T>): Promise<T>
}

export function places(most: number): Places {
  const line: (() => void)[] = []
  let taken = 0
  return {
    async within(work) {
      if (taken < most) taken += 1
      else await new Promise<void>((resolve) => line.push(resolve))
      try {
        return await work()
      } finally {
        const next = line.shift()
        if (next) next()
        else taken -= 1
      }
    },
  }
}
