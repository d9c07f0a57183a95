/** When runs lost their last reader. */
export interface Departures {
  note(runId: string): void
  /** In ms since 1970; nothing where that is longer ago than is remembered. */
  lastOf(runId: string): number | undefined
}

/** Remembers departures for `keepMs`. */
export function departures(keepMs: number): Departures {
  const left = new Map<string, number>()
  return {
    note(runId) {
      const now = Date.now()
      for (const [id, at] of left) {
        if (now - at <= keepMs) break
        left.delete(id)
      }
      // A map keeps its order: the oldest departure is always first.
      left.delete(runId)
      left.set(runId, now)
    },
    lastOf: (runId) => left.get(runId),
  }
}
