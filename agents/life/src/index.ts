import type { AgentFactory } from 'dragoman/modules'
import { settings, type LifeSettings } from './settings.ts'
import { lifeMigrations } from './migrations/migrations.ts'

/** The life agent. */
export const life: AgentFactory<LifeSettings> = {
  id: 'life',
  migrations: lifeMigrations,
  settings,
  preload: () => import('./module.ts'),
  create: async (services) => (await import('./module.ts')).life(services),
}
