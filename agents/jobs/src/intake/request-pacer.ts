import { raceAbort } from 'dragoman/async'
import { ServiceError } from 'dragoman/errors'
import type { Clock } from '../clock.ts'

/** The pause between two requests to one host. */
const MIN_GAP_MS = 2000
const MAX_GAP_MS = 30_000
const MAX_HOSTS = 1000
/** Requests of all users that wait for one host. */
const MAX_WAITING = 20

/** Spaces the requests to each host. */
export interface RequestPacer {
  /**
   * Waits for a turn at a host. The next turn is `gapMs` later, at least two seconds. A caller who leaves takes no
   * turn. @throws the signal's reason; ServiceError `rate-limited` if too many wait
   */
  turn(host: string, gapMs: number, signal: AbortSignal): Promise<void>
}

type Queue = { free: number; waiting: number; last: Promise<void> }

export function createRequestPacer(clock: Clock): RequestPacer {
  const queues = new Map<string, Queue>()
  const now = (): number => clock.now().getTime()

  const takeTurn = async (queue: Queue, gapMs: number, signal: AbortSignal): Promise<void> => {
    if (signal.aborted) return
    if (queue.free > now()) await clock.pause(queue.free - now(), signal).catch(() => undefined)
    if (signal.aborted) return
    queue.free = Math.max(now(), queue.free) + Math.min(MAX_GAP_MS, Math.max(MIN_GAP_MS, gapMs))
  }
  return {
    async turn(host, gapMs, signal) {
      if (queues.size >= MAX_HOSTS) removeIdle(queues, now())
      const queue = queues.get(host) ?? { free: 0, waiting: 0, last: Promise.resolve() }
      queues.set(host, queue)
      if (queue.waiting >= MAX_WAITING)
        throw new ServiceError(
          'rate-limited',
          `Too many pages of ${host} are being read: try again in a minute.`,
        )
      queue.waiting += 1
      queue.last = queue.last
        .then(() => takeTurn(queue, gapMs, signal))
        .finally(() => {
          queue.waiting -= 1
        })
      await raceAbort(queue.last, signal, () => undefined)
      signal.throwIfAborted()
    },
  }
}

function removeIdle(queues: Map<string, Queue>, now: number): void {
  for (const [host, { free, waiting }] of queues) if (waiting === 0 && free <= now) queues.delete(host)
}
