import type { AgentServices } from 'dragoman/agents'
import { ServiceError } from 'dragoman/errors'
import type { AgentModule, Finding } from 'dragoman/modules'
import { codingAgent } from './agent.ts'
import { createChangeStore } from './changes/change-store.ts'
import { createThreadChanges } from './changes/thread-changes.ts'
import { createSandboxes } from './commands/create-sandboxes.ts'
import { executeCommandTool } from './commands/execute-command-tool.ts'
import { contextResolver } from './context-resolver.ts'
import { contextLines } from './context.ts'
import { createProgramTurns } from './commands/program-turns.ts'
import { demo } from './demo.ts'
import { fileTools } from './files/file-tools.ts'
import { agentEvents } from './protocols/agent-events/index.ts'
import { envelope } from './protocols/envelope/index.ts'
import { chooseSearcher } from './search/choose-searcher.ts'
import { globFilesTool } from './search/glob-files-tool.ts'
import { searchFilesTool } from './search/search-files-tool.ts'
import { workspaceSearch } from './search/workspace-search.ts'
import type { CodingSettings } from './settings.ts'
import { codingSurfaces } from './surfaces.ts'
import { views } from './views.ts'
import { createDeniedPaths, userHomes } from './workspace/denied-paths.ts'
import { createDiskReserves } from './workspace/disk-space.ts'
import { createWorkspaces } from './workspace/workspaces.ts'

/** The agent that works on the files of one folder at a time, its tools, and its APIs. */
export async function coding({ settings, ...server }: AgentServices<CodingSettings>): Promise<AgentModule> {
  const { limits: commandLimits, ...own } = settings
  const services = { ...server, ...own, commandLimits }
  checkNetwork(services)
  const { roots, commandTimeout } = services
  const places = createDeniedPaths(services.home, userHomes(services.env))
  const disks = createDiskReserves(commandLimits.commandDiskReserveBytes)
  const workspaces = createWorkspaces(roots, places, disks)
  const programs = createProgramTurns()
  const sandboxes = createSandboxes({ ...services, places })
  const searcher = chooseSearcher(sandboxes)
  const search = workspaceSearch(searcher.searcher, { programs })
  const resolve = contextResolver(workspaces)
  const { database, home } = services
  const changeStore = createChangeStore(database, {
    storage: services.storage,
    write: (bytes, write) => (home === undefined ? write() : disks.write(home, bytes, write)),
  })
  const changes = createThreadChanges(workspaces, changeStore)
  const tools = [
    ...fileTools(workspaces, changeStore),
    searchFilesTool(workspaces, search),
    globFilesTool(workspaces, search),
    executeCommandTool({ workspaces, services, sandboxes, programs, timeoutMs: commandTimeout * 1000 }),
  ]
  const { notes: missing } = await workspaces.condition()
  // A folder that is missing may be a typing error, or a disk that is mounted later.
  if (roots.length > 0) for (const each of missing) services.warn(each)
  return {
    agent: { ...codingAgent, tools },
    context: { resolve, format: contextLines, inherit: ['workspaceRoot', 'directories'] },
    protocols: [agentEvents, envelope],
    surfaces: codingSurfaces({ ...services, workspaces, search, changes, resolve }),
    ...(roots.length > 0 && { delegation }),
    needsPlace: true,
    prune: (before) => changeStore.prune(before),
    storedBytes: (userId) => changeStore.storedBytes(userId),
    demo,
    views,
    async condition() {
      const { available, notes } = await workspaces.condition()
      const sandbox = await sandboxes.detect()
      return { available, notes: [...notes, ...(await searcher.notes()), sandbox.note] }
    },
    async doctor() {
      const sandbox = await sandboxes.detect()
      return [
        ...(roots.length > 0 ? [ok(`Roots: ${roots.join(', ')}`)] : []),
        ...missing.map((text) => note(`Roots: ${text}`)),
        (sandbox.works ? ok : note)(`Sandbox: ${sandbox.note}`),
      ]
    },
  }
}

const delegation = {
  description:
    "reads, searches and changes the files of a folder on the server's machine, and runs commands in it",
  needsApproval: true,
  folderField: 'workspaceRoot',
}

/** A command that reaches the network also reaches this server, and could use it as any user of this machine. */
function checkNetwork({
  commandNetwork,
  requiresToken,
}: Pick<CodingSettings, 'commandNetwork'> & Pick<AgentServices, 'requiresToken'>): void {
  if (commandNetwork === 'none' || requiresToken) return
  throw new ServiceError(
    'invalid-request',
    'commandNetwork open lets commands call this server, which asks for no token on loopback: ' +
      'set requireToken to true as well.',
  )
}

function ok(text: string): Finding {
  return { level: 'ok', text }
}

function note(text: string): Finding {
  return { level: 'note', text }
}
