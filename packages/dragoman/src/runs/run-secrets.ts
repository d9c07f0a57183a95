import type { Json } from '../events/index.ts'

/** Runs whose secrets are held at once; of more, the oldest are forgotten. */
const MAX_RUNS = 10_000

/**
 * What callers have sent for the tools of their runs alone, like a header for a server of their own. It is written
 * nowhere, and is gone with the run or the process.
 */
export interface RunSecrets {
  set(runId: string, secrets: Json | undefined): void
  /** Null if there are none. */
  get(runId: string): Json
  delete(runId: string): void
}

export function createRunSecrets(): RunSecrets {
  const byRun = new Map<string, Json>()
  return {
    set(runId, secrets) {
      if (secrets === undefined) return
      byRun.set(runId, secrets)
      const [oldest] = byRun.keys()
      if (byRun.size > MAX_RUNS && oldest !== undefined) byRun.delete(oldest)
    },
    get: (runId) => byRun.get(runId) ?? null,
    delete: (runId) => void byRun.delete(runId),
  }
}
