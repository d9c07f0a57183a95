import type { Database } from 'dragoman/database'
import type { Feature } from '../feature.ts'
import { deleteMyDataTool } from './delete-my-data-tool.ts'
import { createUserDataErasure } from './erase-user-data.ts'
import { privacyRoutes, type PrivacyPorts } from './privacy-routes.ts'

/** All that is kept of a user: to take along, and to have deleted. */
export function privacyFeature(
  db: Database,
  { profiles, memories, machine }: Omit<PrivacyPorts, 'removeAll'>,
): Feature {
  const removeAll = createUserDataErasure(db, profiles, memories)
  return {
    tools: [deleteMyDataTool({ removeAll, machine }, () => new Date())],
    routes: privacyRoutes({ profiles, memories, machine, removeAll }),
  }
}
