import type { AgentServices, ContextRules } from 'dragoman/agents'
import type { Surface } from 'dragoman/modules'
import { agentChat } from './agent-chat/agent-chat.ts'
import { codingAgent } from './agent.ts'
import { fileDownloadRoute } from './api/file-download-route.ts'
import { fileRoutes } from './api/file-routes.ts'
import { folderRoutes } from './api/folder-routes.ts'
import { servedFolderRoutes } from './api/served-folder-routes.ts'
import { changeRoutes } from './changes/change-routes.ts'
import type { ThreadChanges } from './changes/thread-changes.ts'
import { chatStreamRoutes } from './chat-stream/chat-stream-routes.ts'
import { agentEvents } from './protocols/agent-events/index.ts'
import type { WorkspaceSearch } from './search/workspace-search.ts'
import type { Workspaces } from './workspace/workspaces.ts'

type SurfaceOptions = {
  readonly workspaces: Workspaces
  readonly search: WorkspaceSearch
  readonly changes: ThreadChanges
  readonly readThreadContext: AgentServices['readThreadContext']
  readonly resolve: NonNullable<ContextRules['resolve']>
}

/** The documented APIs of the coding agent: its two chats, and the files of its workspaces. */
export function codingSurfaces(options: SurfaceOptions): Surface[] {
  const { id: agent } = codingAgent
  return [
    { path: '/api/agent-chat', routes: () => folderRoutes(options.workspaces) },
    { path: '/api/agent-file', routes: () => fileDownloadRoute(options.workspaces) },
    { path: '/api/files', routes: () => fileRoutes(options) },
    {
      path: '/api/agent-chat',
      routes: (server) => agentChat({ ...server, agent, protocol: agentEvents }),
    },
    {
      path: '/api',
      routes: (server) =>
        chatStreamRoutes({
          ...server,
          agent,
          resolveContext: async (context, userId) => options.resolve(context, userId, []),
        }),
    },
    { path: `/${agent}`, routes: () => servedFolderRoutes(options.workspaces) },
    { path: `/${agent}/threads`, routes: ({ threads }) => changeRoutes({ ...options, threads }) },
  ]
}
