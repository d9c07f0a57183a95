/** When runs lost their last reader. */
export interface ReaderDepartures {
  record(runId: string): void
  /** In ms since 1970; nothing where that is longer ago than is remembered. */
  lastAt(runId: string): number | undefined
}

/** Remembers departures for `keepMs`. */
export function createReaderDepartures(keepMs: number): ReaderDepartures {
  const times = new Map<string, number>()
  return {
    record(runId) {
      const now = Date.now()
      for (const [id, at] of times) {
        if (now - at <= keepMs) break
        times.delete(id)
      }
      // A map keeps its order: the oldest departure is always first.
      times.delete(runId)
      times.set(runId, now)
    },
    lastAt: (runId) => times.get(runId),
  }
}
