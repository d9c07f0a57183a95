import type { Feature } from '../feature.ts'
import { deleteMyDataTool } from './delete-my-data-tool.ts'
import { privacyRoutes, type PrivacyPorts } from './privacy-routes.ts'

/** Export and deletion of all data of a user. */
export function privacyFeature(ports: PrivacyPorts): Feature {
  return { tools: [deleteMyDataTool(ports, () => new Date())], routes: privacyRoutes(ports) }
}
