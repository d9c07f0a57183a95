import type { AgentFactory } from 'dragoman/modules'
import { settings, type CodingSettings } from './settings.ts'

/** The coding agent. */
export const coding: AgentFactory<CodingSettings> = {
  id: 'coding',
  settings,
  preload: () => import('./module.ts'),
  create: async (services) => (await import('./module.ts')).coding(services),
}
