import type { Json } from '../events/index.ts'

/** Runs whose secrets are kept at once; of more, those go that were kept first. */
const MOST = 10_000

/** What callers have sent for the tools of their runs alone, like a header for a server of their own: written nowhere, gone with the run or the process. */
export interface Keyring {
  keep(runId: string, secrets: Json | undefined): void
  /** Nothing is null. */
  of(runId: string): Json
  forget(runId: string): void
}

export function keyring(): Keyring {
  const kept = new Map<string, Json>()
  return {
    keep(runId, secrets) {
      if (secrets === undefined) return
      kept.set(runId, secrets)
      const [oldest] = kept.keys()
      if (kept.size > MOST && oldest !== undefined) kept.delete(oldest)
    },
    of: (runId) => kept.get(runId) ?? null,
    forget: (runId) => void kept.delete(runId),
  }
}
