import { isServiceError, toFailure } from '../errors.ts'
import { estimateTokens, isLive, noUsage, type Run } from '../events/index.ts'
import type { Store } from '../log/index.ts'
import { stopCause } from './abort-cause.ts'
import { openCallFailure, terminalEvent } from './end-run.ts'
import { resumption } from './recovery.ts'
import { createRunHistory } from './run-history.ts'
import { createRunTracker } from './run-tracker.ts'

const PAGE_LIMIT = 100
/** The highest limit that a configuration may set. */
const MAX_RUN_BYTES = 64 * 1024 * 1024

/**
 * Ends every run that has not ended, as failed with `interrupted`, or as cancelled if a stop was requested. No
 * process may drive a run of this store meanwhile. Returns how many it has ended.
 */
export async function interruptRuns(store: Store): Promise<number> {
  let count = 0
  for (let after: string | undefined; ;) {
    const { runs, cursor } = await store.changed(after, PAGE_LIMIT)
    if (cursor === after) return count
    after = cursor
    for (const { id } of runs.filter(isLive)) {
      const run = await store.get(id)
      if (!run) continue
      await interrupt(run, store)
      count += 1
    }
  }
}

/** Closes what the log holds open and writes the terminal entry, as the run's own process would have done. */
async function interrupt(run: Run, store: Store): Promise<void> {
  const history = createRunHistory(run, store, MAX_RUN_BYTES)
  try {
    await history.advance()
  } catch (error) {
    if (!isServiceError(error, 'too-large')) throw error
    await store.append(run.id, [{ type: 'run.failed', failure: toFailure(error), usage: noUsage }])
    return
  }
  const past = history.past()
  if (!past) return
  const stop = past.events.find((event) => event.type === 'run.stop-requested')
  const cause = stop ? stopCause(stop) : ({ kind: 'closing' } as const)
  const tracker = createRunTracker(run.id, past.events)
  // A run that waits goes on before it ends, unless it was stopped.
  const resumed = run.status === 'waiting' && !stop ? [resumption(past)] : []
  const closing = tracker.close(
    (state) => openCallFailure(state, cause),
    () => estimateTokens(JSON.stringify(run.request.input)),
  )
  const terminal = terminalEvent(run, { cause, outcome: { kind: 'returned' } }, tracker)
  await store.append(run.id, [...resumed, ...closing, terminal], { ifLast: past.last })
}
