import type { Machine } from '../../../agent/index.ts'
import { inSession } from '../api/in-session.ts'
import { fileRoutes } from '../api/routes.ts'
import type { Room } from '../room.ts'
import type { Workspaces } from '../workspace/workspaces.ts'
import { finding } from './find.ts'
import { globFilesTool } from './glob-files.ts'
import { searchFilesTool } from './search-files.ts'
import { whichSearcher } from './which.ts'

/** Finds lines and files, and gives programs what the tools give the agent. */
export function searchRoom(workspaces: Workspaces, machine: Machine): Room {
  const which = whichSearcher()
  const find = finding(which.searcher)
  return {
    tools: [searchFilesTool(workspaces, find), globFilesTool(workspaces, find)],
    routesAt: { '/api/files': fileRoutes(workspaces, find, inSession(workspaces, machine)) },
    condition: which.condition,
  }
}
