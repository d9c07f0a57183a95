/** A counter whose numbers, and whose end, can be awaited. */
export interface ProgressCounter {
  add(): void
  end(): void
  over(): boolean
  /** Resolves at this count or at the end. */
  reached(number: number): Promise<void>
}

export function createProgressCounter(): ProgressCounter {
  let count = 0
  let isOver = false
  const waiting = new Set<() => void>()
  const tell = (): void => {
    for (const look of waiting) look()
  }
  return {
    add() {
      count += 1
      tell()
    },
    end() {
      isOver = true
      tell()
    },
    over: () => isOver,
    async reached(number) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const look = (): void => {
        if (count >= number || isOver) resolve()
      }
      waiting.add(look)
      look()
      await promise
      waiting.delete(look)
    },
  }
}
