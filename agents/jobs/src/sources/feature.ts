import type { AgentServices } from 'dragoman/agents'
import type { Database } from 'dragoman/database'
import type { JobsSettings } from '../settings.ts'
import { mailboxes } from '../mail/mailbox.ts'
import type { Postings } from '../postings/postings.ts'
import type { Feature } from '../feature.ts'
import { keepSynced } from './keep-synced.ts'
import { syncLocks } from './sync-locks.ts'
import { clock } from '../clock.ts'
import { readConfigured } from './configured.ts'
import { sourceRoutes } from './routes.ts'
import { sightings } from './sightings.ts'
import { sources } from './sources.ts'
import { syncs } from './sync.ts'

/**
 * Joins what brings new postings in. @throws ServiceError `invalid-request` where config.yaml names a source that
 * cannot be
 */
export function sourcesFeature(
  db: Database,
  postings: Postings,
  { safeFetch: outward, report, settings }: AgentServices<JobsSettings>,
): Feature {
  const store = sources(db, readConfigured(settings.sources ?? []), clock)
  const mailbox = mailboxes({ outward, now: clock.now })
  const ports = {
    sources: store,
    claims: syncLocks(db),
    sightings: sightings(db),
    postings,
    outward,
    mailbox,
    clock,
    report,
  }
  const going = syncs(ports)
  return {
    routes: sourceRoutes({ ...ports, syncs: going }),
    background: (signal, reportError) =>
      keepSynced({ sources: store, syncs: going, clock }, signal, reportError),
  }
}
