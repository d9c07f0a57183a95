import { isServiceError } from '../errors.ts'
import type { LogEntry, Run } from '../events/index.ts'
import type { RunLog, Store } from '../log/index.ts'
import { trackAttempt, type AttemptTracker, type RunActivity } from './attempt-tracker.ts'

/** More than a run may produce. */
const ALL = { limit: Number.MAX_SAFE_INTEGER, maxBytes: 80 * 1024 * 1024 } as const

export type RunFollowerPorts = {
  readonly log: Pick<RunLog, 'follow'>
  readonly store: Pick<Store, 'read'>
  /** Gets each completed activity in order. */
  readonly onActivity: (run: Run, activity: RunActivity) => void
  readonly report: (error: unknown, where: string) => void
}

/** Reads along with the runs that this process drives. */
export interface RunFollower {
  /** Follows a run from an entry on, until it ends, is suspended or is released. */
  follow(run: Run, after: number): void
  /** Stops following a run that this process can no longer write. */
  release(runId: string): void
  /** The number of followed runs. */
  readonly count: number
  /** Stops following all runs. */
  close(): Promise<void>
}

export function createRunFollower(ports: RunFollowerPorts): RunFollower {
  const runs = new Map<string, { readonly control: AbortController; readonly done: Promise<void> }>()
  const release = (runId: string): void => runs.get(runId)?.control.abort()
  return {
    follow(run, after) {
      release(run.id)
      const control = new AbortController()
      const done = followRun(run, after, control.signal, ports)
        .catch((error: unknown) => {
          // Its conversation was deleted meanwhile.
          if (!isServiceError(error, 'not-found')) ports.report(error, 'telemetry')
        })
        .finally(() => {
          if (runs.get(run.id)?.control === control) runs.delete(run.id)
        })
      runs.set(run.id, { control, done })
    },
    release,
    get count() {
      return runs.size
    },
    async close() {
      const all = [...runs.values()]
      for (const { control } of all) control.abort()
      await Promise.all(all.map(({ done }) => done))
    },
  }
}

async function followRun(
  run: Run,
  after: number,
  signal: AbortSignal,
  { log, store, onActivity }: RunFollowerPorts,
): Promise<void> {
  const at = Date.now()
  const earlierEntries = after > 0 ? await store.read(run.id, 0, { structure: true, to: after, ...ALL }) : []
  const tracker = trackAttempt({
    at,
    isResumed: run.epoch > 1,
    earlierEntries,
    requestedModel: run.request.model,
  })
  let last = after
  /** Whether the attempt is over. */
  const endsAttempt = (entries: readonly LogEntry[]): boolean => {
    last = entries.at(-1)?.seq ?? last
    return entries.some((entry) => reportAll(tracker.take(entry), run, onActivity))
  }
  for await (const entries of log.follow(run.id, after, signal)) if (endsAttempt(entries)) return
  // The last entries count too.
  if (!endsAttempt(await store.read(run.id, last, ALL))) reportAll(tracker.release(), run, onActivity)
}

function reportAll(
  all: ReturnType<AttemptTracker['take']>,
  run: Run,
  onActivity: RunFollowerPorts['onActivity'],
): boolean {
  for (const activity of all) onActivity(run, activity)
  return all.at(-1)?.type === 'attempt'
}
