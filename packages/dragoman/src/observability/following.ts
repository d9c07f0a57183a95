import { isServiceError } from '../errors.ts'
import type { LogEntry, Run } from '../events/index.ts'
import type { RunLog, Store } from '../log/index.ts'
import { attempt, type Attempt, type Done } from './attempt.ts'

const ALL = Number.MAX_SAFE_INTEGER

export type FollowingPorts = {
  readonly log: Pick<RunLog, 'follow'>
  readonly store: Pick<Store, 'read'>
  /** Told of each thing that is over, in its order. */
  readonly tell: (run: Run, done: Done) => void
  readonly report: (error: unknown, where: string) => void
}

/** Reads along with the runs that this process drives. */
export interface Following {
  /** Follows a run from an entry on, until it ends, is parked or is let go of. */
  driving(run: Run, after: number): void
  /** What it can write no more is not waited for. */
  letGo(runId: string): void
  /** How many it follows. */
  readonly count: number
  /** Lets go of all. */
  close(): Promise<void>
}

export function following(ports: FollowingPorts): Following {
  const followed = new Map<string, { readonly control: AbortController; readonly done: Promise<void> }>()
  const letGo = (runId: string): void => followed.get(runId)?.control.abort()
  return {
    driving(run, after) {
      letGo(run.id)
      const control = new AbortController()
      const done = follow(run, after, control.signal, ports)
        .catch((error: unknown) => {
          // Its conversation was deleted meanwhile.
          if (!isServiceError(error, 'not-found')) ports.report(error, 'telemetry')
        })
        .finally(() => {
          if (followed.get(run.id)?.control === control) followed.delete(run.id)
        })
      followed.set(run.id, { control, done })
    },
    letGo,
    get count() {
      return followed.size
    },
    async close() {
      const all = [...followed.values()]
      for (const { control } of all) control.abort()
      await Promise.all(all.map(({ done }) => done))
    },
  }
}

async function follow(
  run: Run,
  after: number,
  signal: AbortSignal,
  { log, store, tell }: FollowingPorts,
): Promise<void> {
  const at = Date.now()
  const before = after > 0 ? await store.read(run.id, 0, { structure: true, to: after, limit: ALL }) : []
  const of = attempt({ at, again: run.epoch > 1, before, wanted: run.request.model })
  let last = after
  /** Whether the attempt is over. */
  const took = (entries: readonly LogEntry[]): boolean => {
    last = entries.at(-1)?.seq ?? last
    return entries.some((entry) => told(of.take(entry), run, tell))
  }
  for await (const entries of log.follow(run.id, after, signal)) if (took(entries)) return
  // What was written last counts too.
  if (!took(await store.read(run.id, last, { limit: ALL }))) told(of.leave(), run, tell)
}

function told(all: ReturnType<Attempt['take']>, run: Run, tell: FollowingPorts['tell']): boolean {
  for (const done of all) tell(run, done)
  return all.at(-1)?.type === 'attempt'
}
