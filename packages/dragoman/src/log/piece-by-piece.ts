import { performance } from 'node:perf_hooks'

import { sleep } from './sleep.ts'

/** The shortest pause between two pieces of work, in ms. */
const MIN_PAUSE_MS = 1
/** Others are never counted as busier than this: the work goes on, for a fiftieth of the time. */
const MAX_OTHERS = 0.98

/**
 * Repeats a bounded piece of work until it says that there is no more, or `signal` aborts. Between two pieces others
 * have at least as long as a piece took, which is longer on a busy database. They have more, the more of the last
 * pause this thread was busy for others.
 */
export async function pieceByPiece(piece: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  let others = 0
  while (!signal.aborted) {
    const startedAt = performance.now()
    if (!(await piece())) return
    const tookMs = performance.now() - startedAt
    const before = performance.eventLoopUtilization()
    await sleep(Math.max(MIN_PAUSE_MS, tookMs / (1 - others)), signal)
    others = Math.min(MAX_OTHERS, performance.eventLoopUtilization(before).utilization)
  }
}
