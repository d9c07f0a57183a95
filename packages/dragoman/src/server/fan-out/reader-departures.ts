/** Records when runs lost their last reader. */
export interface ReaderDepartures {
  record(runId: string): void
  /** In ms since 1970. Undefined if the run never had a reader or that was too long ago. */
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
