import { testServices } from '../../../../packages/dragoman/src/agents/agent-services.fixture.ts'
import type { Json } from 'dragoman/events'
import type { SafeFetch } from 'dragoman/safe-fetch'
import { emptyDatabase } from '../jobs.fixture.ts'
import { mailboxes } from '../mail/mailbox.ts'
import { postings } from '../postings/postings.ts'
import type { Tables } from '../tables.ts'
import { syncLocks } from './sync-locks.ts'
import type { Clock } from '../clock.ts'
import { readConfigured } from './configured.ts'
import { sightings } from './sightings.ts'
import { sources } from './sources.ts'
import { syncs } from './sync.ts'

/** A clock that goes only when it is told to. For tests. */
export function stoppedClock(start: string) {
  let at = new Date(start).getTime()
  const waiting = new Set<{ readonly until: number; readonly wake: () => void }>()
  return {
    now: () => new Date(at),
    async pause(ms: number, signal: AbortSignal) {
      signal.throwIfAborted()
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const sleeper = { until: at + ms, wake: resolve }
      waiting.add(sleeper)
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
      await promise.finally(() => waiting.delete(sleeper))
    },
    /** Goes on by so many minutes. */
    pass(minutes: number) {
      at += minutes * 60_000
      for (const sleeper of waiting) {
        if (sleeper.until > at) continue
        waiting.delete(sleeper)
        sleeper.wake()
      }
    },
    /** How many wait for it. */
    get waiting() {
      return waiting.size
    },
  }
}

/** All that the room is made of, with a clock of one's own. For tests. */
export async function roomParts(outward: SafeFetch, clock: Clock, named: Json = []) {
  const db = await emptyDatabase()
  const { report } = testServices()
  const store = postings(db)
  const sourceStore = sources(db, readConfigured(named), clock)
  const mailbox = mailboxes({ outward, now: clock.now })
  const going = syncs({
    claims: syncLocks(db),
    sightings: sightings(db),
    postings: store,
    outward,
    mailbox,
    clock,
    report,
  })
  return {
    sources: sourceStore,
    syncs: going,
    claims: syncLocks(db),
    postings: store,
    database: db,
    db: db.withTables<Tables>(),
  }
}
