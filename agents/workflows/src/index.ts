import type { WorkflowsSettings } from './settings.ts'
import { z } from 'zod'

import type { AgentFactory } from 'dragoman/modules'

const settings = z.object({ workflows: z.json().default(null) })

/** The agent whose runs are workflows of another program. */
export const workflows: AgentFactory<WorkflowsSettings> = {
  id: 'workflows',
  settings,
  preload: () => import('./module.ts'),
  create: async (services) => (await import('./module.ts')).workflows(services),
}
