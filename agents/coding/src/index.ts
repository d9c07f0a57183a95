import type { AgentFactory } from 'dragoman/modules'
import { codingMigrations } from './changes/change-tables.ts'
import { settings, type CodingSettings } from './settings.ts'

/** The coding agent. */
export const coding: AgentFactory<CodingSettings> = {
  id: 'coding',
  migrations: codingMigrations,
  settings,
  preload: () => import('./module.ts'),
  create: async (services) => (await import('./module.ts')).coding(services),
}
