import type { JobsSettings } from './settings.ts'
import { z } from 'zod'

import type { AgentFactory } from 'dragoman/modules'
import { jobsMigrations } from './migrations/migrations.ts'
import type { Tables } from './tables.ts'

const settings = z.object({ sources: z.json().default(null) })

/** The jobs agent. */
export const jobs: AgentFactory<JobsSettings> = {
  id: 'jobs',
  settings,
  migrations: jobsMigrations,
  // The module indexes them at its start.
  rebuildIndexes: async (db) =>
    void (await db.withTables<Tables>().updateTable('jobs').set({ index_version: 0 }).execute()),
  preload: () => import('./module.ts'),
  create: async (services) => (await import('./module.ts')).jobs(services),
}
