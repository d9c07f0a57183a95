import { createFairQueue, type FairQueue } from 'dragoman/isolate'
import { ServiceError } from 'dragoman/errors'
import type { Clock } from '../clock.ts'

/** The pause between two requests to one host. */
const MIN_GAP_MS = 2000
const MAX_GAP_MS = 30_000
const MAX_HOSTS = 1000
/** Requests that wait for one host: of all users, and of one. */
const PLACES = { workers: 1, waiting: 100, ofOwner: { waiting: 4 } } as const

/** Spaces the requests to each host. */
export interface RequestPacer {
  /**
   * Waits for a turn of a user at a host. Users take turns. The next turn is `gapMs` later, at least two seconds. A
   * caller who leaves takes no turn. @throws the signal's reason; ServiceError `rate-limited` if too many of the user
   * wait, `unavailable` if too many of all wait
   */
  turn(
    at: { readonly host: string; readonly userId: string },
    gapMs: number,
    signal: AbortSignal,
  ): Promise<void>
}

type Host = { free: number; readonly turns: FairQueue }

export function createRequestPacer(clock: Clock): RequestPacer {
  const hosts = new Map<string, Host>()
  const now = (): number => clock.now().getTime()

  return {
    async turn({ host: name, userId }, gapMs, signal) {
      if (hosts.size >= MAX_HOSTS) removeIdle(hosts, now())
      const host = hosts.get(name) ?? { free: 0, turns: turnsAt(name) }
      hosts.set(name, host)
      const take = async (): Promise<void> => {
        if (host.free > now()) await clock.pause(host.free - now(), signal)
        host.free = Math.max(now(), host.free) + Math.min(MAX_GAP_MS, Math.max(MIN_GAP_MS, gapMs))
      }
      await host.turns.run(userId, 1, take, signal)
    },
  }
}

function turnsAt(host: string): FairQueue {
  const message = `Too many pages of ${host} are being read: try again in a minute.`
  const refuse = (code: 'rate-limited' | 'unavailable') => () =>
    new ServiceError(code, message, { retryAfter: 60 })
  return createFairQueue(PLACES, { owner: refuse('rate-limited'), all: refuse('unavailable') })
}

function removeIdle(hosts: Map<string, Host>, now: number): void {
  for (const [name, { free, turns }] of hosts) if (turns.isIdle && free <= now) hosts.delete(name)
}
