import { estimateTokens, isLive, type Run } from '../events/index.ts'
import type { Store } from '../log/index.ts'
import { leftOpen, terminalOf } from './ending.ts'
import { pastOf, resumption } from './recovery.ts'
import { transcript } from './transcript.ts'

const PAGE = 100

/**
 * Ends every run that has not ended, as failed with `interrupted`, or as cancelled if somebody had asked it to stop.
 * No process may drive
 * a run of this store meanwhile. Gives how many it has ended.
 */
export async function interruptRuns(store: Store): Promise<number> {
  let count = 0
  for (let after = 0; ;) {
    const { runs, cursor } = await store.changed(after, PAGE)
    if (cursor === after) return count
    after = cursor
    for (const run of runs.filter(isLive)) {
      await interrupt(run, store)
      count += 1
    }
  }
}

/** Closes what the log holds open and writes the terminal entry, as the run's own process would have done. */
async function interrupt(run: Run, store: Store): Promise<void> {
  const past = await pastOf(store, run)
  const stop = past.events.find((event) => event.type === 'run.stop-requested')
  const cause = stop ? ({ kind: 'stopped', by: stop.by } as const) : ({ kind: 'closing' } as const)
  const log = transcript(run.id, past.events)
  // A run that waits goes on before it ends, unless it was stopped.
  const resumed = run.status === 'waiting' && !stop ? [resumption(past)] : []
  const closing = log.closing(
    (state) => leftOpen(state, cause),
    () => estimateTokens(JSON.stringify(run.request.input)),
  )
  const terminal = terminalOf(run, { cause, outcome: { kind: 'returned' } }, log)
  await store.append(run.id, [...resumed, ...closing, terminal], { ifLast: past.last })
}
