import type { AgentFactory } from 'dragoman/modules'
import { assistantSettings, type AssistantSettings } from './settings.ts'

/** The assistant. */
export const assistant: AgentFactory<AssistantSettings> = {
  id: 'assistant',
  settings: assistantSettings,
  preload: () => import('./module.ts'),
  create: async (services) => (await import('./module.ts')).assistant(services),
}
