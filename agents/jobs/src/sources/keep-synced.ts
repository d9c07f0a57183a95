import { createFairQueue } from 'dragoman/isolate'
import { isServiceError, ServiceError } from 'dragoman/errors'
import type { Clock } from '../clock.ts'
import type { Source } from './source.ts'
import type { Sources } from './sources.ts'
import type { Syncs } from './sync.ts'

/** Schedules are precise to the minute. */
const POLL_INTERVAL_MS = 30_000
const MAX_USERS_AT_ONCE = 8

type Ports = { readonly sources: Sources; readonly syncs: Syncs; readonly clock: Clock }

/**
 * Syncs due sources until `signal` aborts. Missed syncs are made up once. Users take turns, one source each: nobody
 * waits for the slow sources of others, but for those whose own are slow.
 */
export async function keepSynced(
  { sources, syncs, clock }: Ports,
  signal: AbortSignal,
  report: (error: unknown) => void,
): Promise<void> {
  const queue = createFairQueue(
    { workers: MAX_USERS_AT_ONCE, waiting: Number.POSITIVE_INFINITY },
    { owner: fullQueueError, all: fullQueueError },
  )
  const running = new Map<number, Promise<void>>()

  const syncOne = async (source: Source): Promise<void> => {
    // What the user syncs now is not due at the next poll.
    if (syncs.isRunning(source.userId)) return
    await syncs.run(source.userId, [source], { tell: () => undefined, signal })
  }
  const sync = async (source: Source): Promise<void> => {
    const { id, userId } = source
    try {
      await queue.run(userId, 1, () => syncOne(source), signal)
    } catch (error) {
      // A failed source has the reason in its row.
      if (!signal.aborted && !isServiceError(error)) report(error)
    } finally {
      running.delete(id)
    }
  }
  while (!signal.aborted) {
    try {
      const due = (await sources.due()).filter(({ id }) => !running.has(id))
      for (const source of due) running.set(source.id, sync(source))
    } catch (error) {
      if (!signal.aborted) report(error)
    }
    await clock.pause(POLL_INTERVAL_MS, signal).catch(() => undefined)
  }
  await Promise.all(running.values())
}

function fullQueueError(): ServiceError {
  return new ServiceError('unavailable', 'Too many sources are due.')
}
