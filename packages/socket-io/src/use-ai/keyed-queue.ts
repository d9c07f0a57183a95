/** Things that are done one after the other in each lane, and side by side in different ones. */
export interface KeyedQueue {
  add(key: string, act: () => Promise<void> | void): void
}

/** Once `signal` aborts, what has not begun is left. `report` is told what fails. */
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
