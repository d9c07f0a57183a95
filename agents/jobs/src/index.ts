import type { JobsSettings } from './settings.ts'
import { z } from 'zod'

import type { AgentFactory } from 'dragoman/modules'
import { jobsMigrations } from './migrations/migrations.ts'

const settings = z.object({ sources: z.json().default(null) })

/** The jobs agent. */
export const jobs: AgentFactory<JobsSettings> = {
  id: 'jobs',
  settings,
  migrations: jobsMigrations,
  preload: () => import('./module.ts'),
  create: async (services) => (await import('./module.ts')).jobs(services),
}
