import { getHeapStatistics } from 'node:v8'

import type { Limits } from '../config/index.ts'
import type { RunHold, RunLoad } from '../runs/index.ts'
import type { LoadAccount } from './load/index.ts'

/** A run takes several times its size: as entries, as a message, as a prompt, and as what readers have yet to take. */
const HEAP_SHARE = 1 / 8
/** A user may hold at most this share of what all runs may hold. */
const USER_SHARE = 1 / 4

/** The limits of runs that fit into the heap of this process. Each user may have one run of the largest size. */
export function fitRunLimits(
  limits: Limits,
  heapBytes: number = getHeapStatistics().heap_size_limit,
): Limits {
  const { bytesPerRun } = limits
  const runBytes = Math.max(bytesPerRun, Math.min(limits.runBytes, Math.floor(heapBytes * HEAP_SHARE)))
  const perUser = Math.min(limits.runBytesPerUser, Math.floor(runBytes * USER_SHARE))
  return { ...limits, runBytes, runBytesPerUser: Math.max(bytesPerRun, perUser) }
}

/** Counts runs in the account of load. */
export function createRunLoad(load: LoadAccount): RunLoad {
  return {
    start(userId) {
      const share = load.share({ userId })
      const run = share.take('runs')
      return joinHolds(run, share.take('runBytes', 0))
    },
    async wait(userId, bytes, signal) {
      const share = load.share({ userId })
      const run = await share.wait('runs', 1, signal)
      try {
        return joinHolds(run, await share.wait('runBytes', bytes, signal))
      } catch (error) {
        run.release()
        throw error
      }
    },
  }
}

/** Two holds as one. `bytes` is the size. */
export function joinHolds(run: { release(): void }, bytes: RunHold): RunHold {
  return {
    resize: bytes.resize,
    release() {
      run.release()
      bytes.release()
    },
  }
}
