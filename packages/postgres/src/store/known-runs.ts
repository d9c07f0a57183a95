import { toState, type RunState } from 'dragoman/stores'

import type { StateRow } from './run-rows.ts'

/** What an appender knows of a run: as long as its version stands, the database does not have to be asked. */
export type KnownRun = {
  readonly num: number
  readonly userId: string
  readonly createdAt: number
  readonly version: number
  readonly state: RunState
  /** The time of its last entry, in ms since 1970. */
  readonly at: number
}

const MAX_KNOWN_RUNS = 10_000

/** Runs that were appended to, the latest last. */
export interface KnownRuns {
  get(runId: string): KnownRun | undefined
  keep(run: KnownRun): void
  forget(runId: string): void
  /** Forgets also where its log ended: the process that has claimed it goes on from what the database holds. */
  forgetEnd(runId: string): void
  /** Forgets all but the ends of their logs: the database may have come back without its last commits. */
  forgetStates(): void
  /** The last entry that this process knows to be committed, also of a run whose state it forgot. */
  committedSeq(runId: string): number
}

/** What the database says of a run. */
export function knownRun(row: StateRow): KnownRun {
  return {
    num: row.num,
    userId: row.user_id,
    createdAt: row.created_at,
    version: row.version,
    state: toState(row),
    at: row.end_at ?? row.last_at,
  }
}

export function knownRuns(): KnownRuns {
  const runs = new Map<string, KnownRun>()
  const ends = new Map<string, number>()
  return {
    get: (runId) => runs.get(runId),
    keep(run) {
      const { runId, lastSeq } = run.state
      runs.delete(runId)
      runs.set(runId, run)
      ends.delete(runId)
      ends.set(runId, lastSeq)
      dropOldest(runs)
      dropOldest(ends)
    },
    forget: (runId) => void runs.delete(runId),
    forgetEnd(runId) {
      runs.delete(runId)
      ends.delete(runId)
    },
    forgetStates: () => runs.clear(),
    committedSeq: (runId) => ends.get(runId) ?? 0,
  }
}

function dropOldest(map: Map<string, unknown>): void {
  for (const oldest of map.keys()) {
    if (map.size <= MAX_KNOWN_RUNS) return
    map.delete(oldest)
  }
}
