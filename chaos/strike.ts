import type { ChaosDatabase } from './database/database.ts'
import type { RecoveryTimes } from './recovery-times.ts'
import type { ServerNode } from './server-node.ts'
import { strikeDatabase } from './strike-database.ts'
import { strikeNode } from './strike-node.ts'
import { mayEndAttempts, type StrikePlan } from './strike-plan.ts'

/** Timeout for a strike's instant, in ms. */
const INSTANT_TIMEOUT_MS = 1200
/** For so long after a strike, its runs may still be taken over and failed writes are expected. */
const AFTERMATH_MS = 12_000
/** A muted line counts as lost only after a query's timeout, and the retry of another may do so again. */
const MUTED_MS = 30_000

export type StrikeField = {
  readonly nodes: readonly ServerNode[]
  /** The database that the nodes share, if it is a server. */
  readonly database: ChaosDatabase | undefined
  /** What a node gives its runs at SIGTERM. */
  readonly drainSeconds: number
  readonly recovery: RecoveryTimes
  readonly signal: AbortSignal
  readonly complain: (sentence: string) => void
  readonly toll: Toll
}

/** What the strikes so far explain. Times are of `performance.now`. */
export type Toll = {
  /** The number of strikes that may have ended attempts. */
  strikes: number
  /** Until when the last of them may end attempts. */
  struckUntil: number
  /** Until when writes may fail. */
  excusedUntil: number
  /** Until when a node may wait for an answer that does not come, and so exit without having closed in order. */
  mutedUntil: number
}

/** Waits for the planned instant, and strikes. */
export async function strike(plan: StrikePlan, field: StrikeField): Promise<void> {
  const { recovery, signal, toll, database } = field
  if (!('bootMs' in plan.when))
    await recovery.reached(plan.when, AbortSignal.any([signal, AbortSignal.timeout(INSTANT_TIMEOUT_MS)]))
  if (signal.aborted) return
  if (mayEndAttempts(plan)) toll.strikes += 1
  excuse(plan, plan.ms, field)
  const isDealt = database !== undefined && (await strikeDatabase(plan, { ...field, database }))
  if (!isDealt) await strikeNode(plan, field)
  // On a busy machine it takes longer than planned.
  excuse(plan, 0, field)
}

/** Notes what a strike explains that lasts so much longer. */
function excuse(plan: StrikePlan, ms: number, { toll, database }: StrikeField): void {
  const isMuted = plan.kind === 'lines muted'
  const endsAt = performance.now() + ms + AFTERMATH_MS + (isMuted ? MUTED_MS : 0)
  const mayEnd = mayEndAttempts(plan)
  if (isMuted) toll.mutedUntil = endsAt
  if (mayEnd && database) toll.struckUntil = Math.max(toll.struckUntil, endsAt)
  if (database || (mayEnd && plan.kind === 'SIGSTOP')) toll.excusedUntil = Math.max(toll.excusedUntil, endsAt)
}
