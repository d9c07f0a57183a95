import type { AgentServices } from 'dragoman/agents'
import { ServiceError } from 'dragoman/errors'
import type { AgentModule, Finding } from 'dragoman/modules'
import { codingAgent } from './agent.ts'
import { demo } from './demo.ts'
import { contextLines } from './context.ts'
import { apiFeature } from './api/api-feature.ts'
import { commandsFeature } from './commands/commands-feature.ts'
import { createSandboxes, type Sandboxes } from './commands/create-sandboxes.ts'
import { filesFeature } from './files/files-feature.ts'
import { agentEvents } from './protocols/agent-events/index.ts'
import { envelope } from './protocols/envelope/index.ts'
import type { Feature } from './feature.ts'
import { searchFeature } from './search/search-feature.ts'
import { contextResolver } from './context-resolver.ts'
import { closedPlaces, userHomes } from './workspace/closed-places.ts'
import type { CodingSettings } from './settings.ts'
import { codingSurfaces } from './surfaces.ts'
import { createWorkspaces } from './workspace/workspaces.ts'

/** Works on the files of one folder at a time: an agent, its tools, and the routes that show its files. */
export async function coding({ settings, ...services }: AgentServices<CodingSettings>): Promise<AgentModule> {
  const { limits: commandLimits, ...own } = settings
  const codingServices = { ...services, ...own, commandLimits }
  checkNetwork(codingServices)
  const places = closedPlaces(codingServices.home, userHomes(codingServices.env))
  const workspaces = createWorkspaces(codingServices.roots, places)
  const sandboxes = createSandboxes({ ...codingServices, places })
  const search = searchFeature(workspaces, sandboxes)
  const features: readonly Feature[] = [
    filesFeature(workspaces),
    search,
    commandsFeature(workspaces, codingServices, sandboxes),
    apiFeature(workspaces, search.find, codingServices),
  ]
  const resolve = contextResolver(workspaces, sandboxes)
  const { notes: missing } = await workspaces.condition()
  // A folder that is missing may be a typing error, or a disk that is mounted later.
  if (codingServices.roots.length > 0) for (const each of missing) codingServices.warn(each)
  return {
    agent: { ...codingAgent, tools: features.flatMap(({ tools }) => tools) },
    context: { resolve, format: contextLines },
    protocols: [agentEvents, envelope],
    surfaces: [
      ...features.flatMap(({ routesAt = {} }) =>
        Object.entries(routesAt).map(([path, routes]) => ({ path, routes: () => routes })),
      ),
      ...codingSurfaces(codingAgent.id, resolve),
    ],
    ...(codingServices.roots.length > 0 && { delegation }),
    demo,
    async condition() {
      const all = await Promise.all([
        workspaces.condition(),
        ...features.flatMap(({ condition }) => condition?.() ?? []),
      ])
      return { available: all.every(({ available }) => available), notes: all.flatMap(({ notes }) => notes) }
    },
    doctor: async () => [
      ...(codingServices.roots.length > 0 ? [ok(`Roots: ${codingServices.roots.join(', ')}`)] : []),
      ...missing.map((text) => note(`Roots: ${text}`)),
      await sandboxFinding(sandboxes),
    ],
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
    'commandNetwork open lets commands call this server, which asks for no token on loopback: set requireToken to true as well.',
  )
}

async function sandboxFinding(sandboxes: Sandboxes): Promise<Finding> {
  const found = await sandboxes.detect()
  return (found.works ? ok : note)(`Sandbox: ${found.note}`)
}

function ok(text: string): Finding {
  return { level: 'ok', text }
}

function note(text: string): Finding {
  return { level: 'note', text }
}
