/** The pause before a failed attempt is repeated, in ms. It doubles with each failure, up to the limit. */
const FIRST_PAUSE_MS = 1000
const MAX_PAUSE_MS = 30_000
/** So many attempts without a new log entry end a run. */
export const MAX_ATTEMPTS = 3

/** Failed attempts of the runs that this process drives. They are retried with backoff. */
export interface FailedAttempts {
  /** Whether the pause after the last failed attempt is over. */
  isDue(runId: string): boolean
  /** The runs whose pause is over. */
  due(): string[]
  /** Notes a failed attempt and the log's last entry. Returns how many attempts in a row have failed at that entry. */
  fail(runId: string, lastSeq?: number): number
  /** Forgets a run that was brought further, has ended or belongs to another process. */
  forget(runId: string): undefined
}

/** `pauses` counts all failed attempts, `count` those since the log last grew. */
type Failed = {
  readonly count: number
  readonly pauses: number
  readonly lastSeq: number | undefined
  readonly dueAt: number
}

export function failedAttempts(now: () => number = Date.now): FailedAttempts {
  const failures = new Map<string, Failed>()
  const isDue = (runId: string): boolean => (failures.get(runId)?.dueAt ?? 0) <= now()
  return {
    isDue,
    due: () => [...failures.keys()].filter(isDue),
    fail(runId, lastSeq) {
      const before = failures.get(runId)
      const count = before && before.lastSeq === lastSeq ? before.count + 1 : 1
      const pauses = (before?.pauses ?? 0) + 1
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (pauses - 1), MAX_PAUSE_MS)
      failures.set(runId, { count, lastSeq, pauses, dueAt: now() + pauseMs })
      return count
    },
    forget(runId) {
      failures.delete(runId)
    },
  }
}
