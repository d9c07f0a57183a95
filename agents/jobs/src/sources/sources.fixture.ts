import { testServices } from '../../../../packages/dragoman/src/agents/agent-services.fixture.ts'
import type { Json } from 'dragoman/events'
import type { SafeFetch } from 'dragoman/safe-fetch'
import { emptyDatabase } from '../jobs.fixture.ts'
import { mailboxes } from '../mail/mailbox.ts'
import { postings } from '../postings/postings.ts'
import type { Tables } from '../tables.ts'
import type { Clock } from '../clock.ts'
import { readConfigured } from './configured.ts'
import { sightings } from './sightings.ts'
import { sources } from './sources.ts'
import { syncs } from './sync.ts'

/** A clock that a test moves. */
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
    pass(minutes: number) {
      at += minutes * 60_000
      for (const sleeper of waiting) {
        if (sleeper.until > at) continue
        waiting.delete(sleeper)
        sleeper.wake()
      }
    },
    /** The number of pauses. */
    get waiting() {
      return waiting.size
    },
  }
}

/** The sources, their syncs and their postings on an empty database, with the clock of a test. */
export async function createSources(outward: SafeFetch, clock: Clock, configured: Json = []) {
  const database = await emptyDatabase()
  const ports = {
    sources: sources(database, readConfigured(configured), clock),
    sightings: sightings(database),
    postings: postings(database),
    outward,
    mailbox: mailboxes({ outward, now: clock.now }),
    clock,
    report: testServices().report,
  }
  return { ...ports, syncs: syncs(ports), database, db: database.withTables<Tables>() }
}
