import { EventEmitter, once } from 'node:events'

/** Records when runs lost a reader. */
export interface ReaderDepartures {
  record(runId: string): void
  /** Whether the run has lost a reader, unless that was too long ago. */
  has(runId: string): boolean
  /** Resolves when the run loses a reader, or `signal` aborts. */
  next(runId: string, signal: AbortSignal): Promise<void>
}

/** Remembers departures for `keepMs`. */
export function createReaderDepartures(keepMs: number): ReaderDepartures {
  const times = new Map<string, number>()
  const departures = new EventEmitter().setMaxListeners(0)
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
      departures.emit(runId)
    },
    has: (runId) => times.has(runId),
    async next(runId, signal) {
      await once(departures, runId, { signal }).catch((error: unknown) => {
        if (!signal.aborted) throw error
      })
    },
  }
}
