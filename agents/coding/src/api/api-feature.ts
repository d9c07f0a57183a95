import type { CodingServices } from '../settings.ts'
import type { Feature } from '../feature.ts'
import type { WorkspaceSearch } from '../search/workspace-search.ts'
import type { Workspaces } from '../workspace/workspaces.ts'
import { fileRoutes } from './file-routes.ts'
import { folderRoutes } from './folder-routes.ts'
import { workspaceOpener } from './workspace-opener.ts'

/** Gives programs what the tools give the agent, and says which folders can be worked in. */
export function apiFeature(workspaces: Workspaces, find: WorkspaceSearch, services: CodingServices): Feature {
  return {
    tools: [],
    routesAt: {
      '/api/agent-chat': folderRoutes(workspaces),
      '/api/files': fileRoutes(workspaces, find, workspaceOpener(workspaces, services)),
    },
  }
}
