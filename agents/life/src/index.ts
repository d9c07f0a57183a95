import type { AgentFactory } from 'dragoman/modules'
import { lifeMigrations } from './migrations/migrations.ts'

/** The life agent. */
export const life: AgentFactory = {
  id: 'life',
  migrations: lifeMigrations,
  preload: () => import('./module.ts'),
  create: async (services) => (await import('./module.ts')).life(services),
}
