/** Things that are done one after the other in each lane, and side by side in different ones. */
export interface Lanes {
  add(lane: string, act: () => Promise<void> | void): void
}

/** Once `signal` aborts, what has not begun is left. `report` is told what fails. */
export function lanes(signal: AbortSignal, report: (error: unknown) => void): Lanes {
  const ends = new Map<string, Promise<void>>()
  return {
    add(lane, act) {
      const end = (ends.get(lane) ?? Promise.resolve())
        .then(() => (signal.aborted ? undefined : act()))
        .catch(report)
        .finally(() => {
          if (ends.get(lane) === end) ends.delete(lane)
        })
      ends.set(lane, end)
    },
  }
}
