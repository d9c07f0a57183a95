import type { AssistantSettings } from './settings.ts'
import { z } from 'zod'

import type { AgentFactory } from 'dragoman/modules'

const settings = z.object({ mcp: z.json().default(null) })

/** The assistant. */
export const assistant: AgentFactory<AssistantSettings> = {
  id: 'assistant',
  settings,
  preload: () => import('./module.ts'),
  create: async (services) => (await import('./module.ts')).assistant(services),
}
