/** Runs tasks in order for each key, and in parallel across keys. */
export interface KeyedQueue {
  add(key: string, act: () => Promise<void> | void): void
}

/** Tasks that have not started are dropped once `signal` aborts. `report` gets the errors. */
export function createKeyedQueue(signal: AbortSignal, report: (error: unknown) => void): KeyedQueue {
  const ends = new Map<string, Promise<void>>()
  return {
    add(key, act) {
      const end = (ends.get(key) ?? Promise.resolve())
        .then(() => (signal.aborted ? undefined : act()))
        .catch(report)
        .finally(() => {
          if (ends.get(key) === end) ends.delete(key)
        })
      ends.set(key, end)
    },
  }
}
