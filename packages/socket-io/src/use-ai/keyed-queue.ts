/** Runs tasks in order for each key, and in parallel across keys. */
export interface KeyedQueue {
  add(key: string, act: () => Promise<void> | void): void
  /** The number of tasks that have not ended. */
  size(): number
}

/** Tasks that have not started are dropped once `signal` aborts. `report` gets the errors. */
export function createKeyedQueue(signal: AbortSignal, report: (error: unknown) => void): KeyedQueue {
  const ends = new Map<string, Promise<void>>()
  let size = 0
  return {
    size: () => size,
    add(key, act) {
      size += 1
      const end = (ends.get(key) ?? Promise.resolve())
        .then(() => (signal.aborted ? undefined : act()))
        .catch(report)
        .finally(() => {
          size -= 1
          if (ends.get(key) === end) ends.delete(key)
        })
      ends.set(key, end)
    },
  }
}
