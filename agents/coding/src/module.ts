import type { AgentServices } from 'dragoman/agents'
import { ServiceError } from 'dragoman/errors'
import type { AgentModule, Finding } from 'dragoman/modules'
import { codingAgent } from './agent.ts'
import { demo } from './demo.ts'
import { contextLines } from './context.ts'
import { apiFeature } from './api/api-feature.ts'
import { commandsFeature } from './commands/commands-feature.ts'
import { sandboxes, type Sandboxes } from './commands/sandbox.ts'
import { filesFeature } from './files/files-feature.ts'
import { agentEvents } from './protocols/agent-events/index.ts'
import { envelope } from './protocols/envelope/index.ts'
import type { Feature } from './feature.ts'
import { searchFeature } from './search/search-feature.ts'
import { contextResolver } from './context-resolver.ts'
import { closedPlaces, homesOf } from './workspace/closed-places.ts'
import type { CodingSettings } from './settings.ts'
import { codingSurfaces } from './surfaces.ts'
import { workspaces } from './workspace/workspaces.ts'

/** Works on the files of one folder at a time: an agent, its tools, and the routes that show its files. */
export async function coding({ settings, ...services }: AgentServices<CodingSettings>): Promise<AgentModule> {
  const { limits: commandLimits, ...own } = settings
  const machine = { ...services, ...own, commandLimits }
  checkNetwork(machine)
  const places = closedPlaces(machine.home, homesOf(machine.env))
  const open = workspaces(machine.roots, places)
  const boxes = sandboxes({ ...machine, places })
  const search = searchFeature(open, boxes)
  const rooms: readonly Feature[] = [
    filesFeature(open),
    search,
    commandsFeature(open, machine, boxes),
    apiFeature(open, search.find, machine),
  ]
  const resolve = contextResolver(open, boxes)
  const { notes: missing } = await open.condition()
  // A folder that is missing may be a typing error, or a disk that is mounted later.
  if (machine.roots.length > 0) for (const each of missing) machine.warn(each)
  return {
    agent: { ...codingAgent, tools: rooms.flatMap(({ tools }) => tools) },
    context: { resolve, format: contextLines },
    protocols: [agentEvents, envelope],
    surfaces: [
      ...rooms.flatMap(({ routesAt = {} }) =>
        Object.entries(routesAt).map(([path, routes]) => ({ path, routes: () => routes })),
      ),
      ...codingSurfaces(codingAgent.id, resolve),
    ],
    ...(machine.roots.length > 0 && { delegation }),
    demo,
    async condition() {
      const all = await Promise.all([
        open.condition(),
        ...rooms.flatMap(({ condition }) => condition?.() ?? []),
      ])
      return { available: all.every(({ available }) => available), notes: all.flatMap(({ notes }) => notes) }
    },
    doctor: async () => [
      ...(machine.roots.length > 0 ? [ok(`Roots: ${machine.roots.join(', ')}`)] : []),
      ...missing.map((text) => note(`Roots: ${text}`)),
      await sandboxFinding(boxes),
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

async function sandboxFinding(boxes: Sandboxes): Promise<Finding> {
  const found = await boxes.found()
  return (found.works ? ok : note)(`Sandbox: ${found.note}`)
}

function ok(text: string): Finding {
  return { level: 'ok', text }
}

function note(text: string): Finding {
  return { level: 'note', text }
}
