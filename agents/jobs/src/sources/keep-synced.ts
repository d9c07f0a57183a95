import { isServiceError } from 'dragoman/errors'
import type { Clock } from '../clock.ts'
import type { Source } from './source.ts'
import type { Sources } from './sources.ts'
import type { Syncs } from './sync.ts'

/** How often it is looked whose time has come, in ms: schedules go by the minute. */
const LOOK_MS = 30_000
/** Users whose sources are synced at the same time. */
const AT_ONCE = 4

type Ports = { readonly sources: Sources; readonly syncs: Syncs; readonly clock: Clock }

/** Syncs what is due until `signal` aborts. What was missed while nothing ran is done once. */
export async function keepSynced(
  { sources, syncs, clock }: Ports,
  signal: AbortSignal,
  report: (error: unknown) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const users = Map.groupBy(await sources.due(), ({ userId }) => userId)
      const turn = [...users].slice(0, AT_ONCE)
      await Promise.all(turn.map(([userId, due]) => syncDue(syncs, userId, due, signal)))
    } catch (error) {
      if (!signal.aborted) report(error)
    }
    await clock.pause(LOOK_MS, signal).catch(() => undefined)
  }
}

/** What failed stands in the row of each source. */
async function syncDue(
  syncs: Syncs,
  userId: string,
  due: readonly Source[],
  signal: AbortSignal,
): Promise<void> {
  try {
    await syncs.run(userId, due, { tell: () => undefined, signal })
  } catch (error) {
    if (!signal.aborted && !isServiceError(error)) throw error
  }
}
