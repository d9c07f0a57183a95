import { isServiceError } from 'dragoman/errors'
import type { Clock } from '../clock.ts'
import type { Sources } from './sources.ts'
import type { Syncs } from './sync.ts'

/** Schedules are precise to the minute. */
const POLL_INTERVAL_MS = 30_000
const MAX_USERS_AT_ONCE = 4

type Ports = { readonly sources: Sources; readonly syncs: Syncs; readonly clock: Clock }

/** Syncs due sources until `signal` aborts. Missed syncs are made up once. */
export async function keepSynced(
  { sources, syncs, clock }: Ports,
  signal: AbortSignal,
  report: (error: unknown) => void,
): Promise<void> {
  const sync = async (userId: string, due: Awaited<ReturnType<Sources['due']>>): Promise<void> => {
    try {
      await syncs.run(userId, due, { tell: () => undefined, signal })
    } catch (error) {
      // A failed source has the reason in its row.
      if (!signal.aborted && !isServiceError(error)) throw error
    }
  }
  while (!signal.aborted) {
    try {
      const users = Map.groupBy(await sources.due(), ({ userId }) => userId)
      await Promise.all([...users].slice(0, MAX_USERS_AT_ONCE).map(([userId, due]) => sync(userId, due)))
    } catch (error) {
      if (!signal.aborted) report(error)
    }
    await clock.pause(POLL_INTERVAL_MS, signal).catch(() => undefined)
  }
}
