import { pieceByPiece } from './piece-by-piece.ts'
import { sleep } from './sleep.ts'
import type { Store } from './store.ts'

/** How often each kind of upkeep looks for work. */
const POLL_INTERVAL_MS = 10_000
/** Slow readers still read the log of a run that has just ended. */
const PACK_DELAY_MS = 60_000
/** A detached run is stored so long after its end, in ms, for readers that lost their connection. */
export const DETACHED_RETENTION_MS = 600_000
const DAY_MS = 86_400_000

type Upkeep = {
  readonly store: Store
  readonly report: (error: unknown) => void
}

/** Packs the logs of runs that have ended, until `signal` aborts. Every node does it: no log is packed by two. */
export function packLogs({ store, report }: Upkeep, signal: AbortSignal): Promise<void> {
  const work = (): Promise<void> => pieceByPiece(() => store.pack(Date.now() - PACK_DELAY_MS), signal)
  return repeat(work, report, signal)
}

/** Removes detached runs, until `signal` aborts. */
export function discardRuns({ store, report }: Upkeep, signal: AbortSignal): Promise<void> {
  const work = (): Promise<void> =>
    pieceByPiece(() => store.discard(Date.now() - DETACHED_RETENTION_MS), signal)
  return repeat(work, report, signal)
}

export type RetentionOptions = Upkeep & {
  /** Logs are deleted so many days after their runs have ended. */
  readonly keepLogs: number
  /** Up to which change of the store the messages are in rows. No log that changed later is deleted. */
  readonly projectedTo: () => Promise<string | undefined>
  /** Deletes what else is as old as a log that is deleted. */
  readonly pruneAgentData: (before: Date) => Promise<void>
  /** Whether the clock may be trusted to delete logs. */
  readonly isTrusted: () => Promise<boolean>
}

/** Deletes old logs, until `signal` aborts. It waits for nothing else, however much there is to pack or to project. */
export function pruneLogs(
  { store, keepLogs, projectedTo, pruneAgentData, isTrusted, report }: RetentionOptions,
  signal: AbortSignal,
): Promise<void> {
  const work = async (): Promise<void> => {
    if (!(await isTrusted())) return
    const before = Date.now() - keepLogs * DAY_MS
    const upTo = await projectedTo()
    if (upTo !== undefined) await pieceByPiece(() => store.prune(before, upTo), signal)
    await pruneAgentData(new Date(before))
  }
  return repeat(work, report, signal)
}

/** What upkeep has not done yet. */
export type UpkeepBacklog = {
  /** Logs that are due to be packed. */
  readonly unpacked: number
  /** How long the oldest log has been due for deletion, in ms; 0 if none is. */
  readonly overdueMs: number
}

/** `keepLogs`: as in `RetentionOptions`; 0: no log is due for deletion. */
export async function readBacklog(store: Store, keepLogs: number): Promise<UpkeepBacklog> {
  const { unpacked, oldestAt } = await store.backlog(Date.now() - PACK_DELAY_MS)
  const isKept = keepLogs === 0 || oldestAt === undefined
  return { unpacked, overdueMs: isKept ? 0 : Math.max(0, Date.now() - keepLogs * DAY_MS - oldestAt) }
}

async function repeat(
  work: () => Promise<void>,
  report: (error: unknown) => void,
  signal: AbortSignal,
): Promise<void> {
  for (await sleep(POLL_INTERVAL_MS, signal); !signal.aborted; await sleep(POLL_INTERVAL_MS, signal)) {
    await work().catch(report)
  }
}
