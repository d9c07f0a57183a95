import { Hono } from 'hono'

import type { AgentServices, AppEnv } from 'dragoman/agents'
import type { Database } from 'dragoman/database'
import { clock } from '../clock.ts'
import { limitSources } from '../limit-storage.ts'
import type { Feature } from '../feature.ts'
import { mailboxes } from '../mail/mailbox.ts'
import type { Postings } from '../postings/postings.ts'
import type { JobsSettings } from '../settings.ts'
import { readConfigured } from './configured.ts'
import { mailStatusRoutes } from './mail-status-routes.ts'
import { keepSynced } from './keep-synced.ts'
import { sourceRoutes } from './routes.ts'
import { sightings } from './sightings.ts'
import { sources } from './sources.ts'
import { syncRoutes } from './sync-routes.ts'
import { syncs } from './sync.ts'

/** The sources of new postings. @throws ServiceError `invalid-request` for an invalid source in config.yaml */
export function sourcesFeature(
  db: Database,
  postings: Postings,
  { safeFetch: outward, report, settings, storage }: AgentServices<JobsSettings>,
): Feature {
  const store = limitSources(sources(db, readConfigured(settings.sources ?? []), clock), storage)
  const mailbox = mailboxes({ outward, now: clock.now })
  const ports = { sources: store, sightings: sightings(db), postings, outward, mailbox, clock, report }
  const running = syncs(ports)
  return {
    routes: new Hono<AppEnv>().route('/', sourceRoutes(ports)).route('/', syncRoutes(store, running, report)),
    surfaces: [{ path: '/email', routes: () => mailStatusRoutes(store, running) }],
    background: (signal, reportError) =>
      keepSynced({ sources: store, syncs: running, clock }, signal, reportError),
  }
}
