import { sleep } from './sleep.ts'
import type { Store } from './store.ts'

/** How often it looks for work. */
const POLL_INTERVAL_MS = 10_000
/** Slow readers still read the log of a run that has just ended. */
const PACK_DELAY_MS = 60_000
/** A detached run is stored so long after its end, in ms, for readers that lost their connection. */
export const DETACHED_RETENTION_MS = 600_000
/** The pause between two pieces of work: an append waits for one piece at most. */
const PIECE_PAUSE_MS = 20
const DAY_MS = 86_400_000

export type LogMaintenanceOptions = {
  readonly store: Store
  /** Logs are deleted so many days after their runs have ended; 0: never. */
  readonly keepLogs: number
  /** Resolves once the messages of ended runs are in rows, or `signal` aborts: before that no log may be deleted. */
  readonly projected: (signal: AbortSignal) => Promise<void>
  /** Deletes what else is as old as a log that is deleted. */
  readonly pruneAgentData: (before: Date) => Promise<void>
  /** Whether the clock may be trusted to delete logs. */
  readonly isTrusted: () => Promise<boolean>
  readonly report: (error: unknown, where: string) => void
}

/** Packs the logs of runs that have ended, deletes old ones, and removes detached runs, until `signal` aborts. */
export async function maintainLogs(
  { store, keepLogs, projected, pruneAgentData, isTrusted, report }: LogMaintenanceOptions,
  signal: AbortSignal,
): Promise<void> {
  const pieceByPiece = async (piece: () => Promise<boolean>): Promise<void> => {
    while (!signal.aborted && (await piece())) await sleep(PIECE_PAUSE_MS, signal)
  }
  const work = async (): Promise<void> => {
    if (keepLogs > 0 && (await isTrusted())) {
      await projected(signal)
      if (signal.aborted) return
      const before = Date.now() - keepLogs * DAY_MS
      await pieceByPiece(() => store.prune(before))
      await pruneAgentData(new Date(before))
    }
    await pieceByPiece(() => store.discard(Date.now() - DETACHED_RETENTION_MS))
    await pieceByPiece(() => store.pack(Date.now() - PACK_DELAY_MS))
  }
  for (await sleep(POLL_INTERVAL_MS, signal); !signal.aborted; await sleep(POLL_INTERVAL_MS, signal)) {
    await work().catch((error: unknown) => report(error, 'upkeep'))
  }
}
