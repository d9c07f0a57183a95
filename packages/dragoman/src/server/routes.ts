import type { Hono } from 'hono'

import type { AppEnv } from '../agents/index.ts'
import type { DemoText } from '../models/index.ts'
import type { ConfiguredModule } from '../modules/index.ts'
import { isGuest } from '../events/index.ts'
import type { Quota } from '../access/quota/index.ts'
import type { ModelAccess } from './model-access.ts'
import type { ResolveForCaller } from './resolve-agents.ts'
import {
  agentRoutes,
  agentStatusRoutes,
  verifyTokenRoutes,
  guestClaimRoutes,
  healthRoutes,
  ownerRoutes,
  pairRoutes,
  pageRoutes,
  mcpRoutes,
  providerRoutes,
  sessionRoutes,
  signInRoutes,
  chatRoutes,
  v1Routes,
  viewRoutes,
  offerViews,
  openApiRoutes,
  usageRoutes,
  type Conversations,
  type GuestClaimOptions,
  type OfferedAgent,
  type McpSignIns,
  type OwnerOptions,
  type PairOptions,
  type ProviderKeys,
  type ServerProtocol,
  type Surface,
  type SessionOptions,
  type SignInOptions,
  type StorageStatusOf,
} from './surfaces/index.ts'
import type { CallerRules, ResolveCaller, createHttpApp, SocketServer } from './http/index.ts'
import type { ServerPlugin, SocketServices } from './server-plugin.ts'
import { version } from '../version.ts'

export type RouteServices = Omit<Conversations, 'protocols'> & {
  readonly protocols: ReadonlyMap<string, ServerProtocol>
  ready: () => Promise<void>
  scrape: (() => Promise<string>) | undefined
  modelAccess: ModelAccess
  resolveForCaller: ResolveForCaller
  resolveCaller: ResolveCaller
  callerRules: CallerRules
  /** The folder of the page for `/`. */
  page: string | undefined
  providerKeys: ProviderKeys | undefined
  mcpSignIns: McpSignIns
  sessions: SignInOptions['sessions'] & SessionOptions['sessions']
  pairing: Omit<PairOptions, 'hosts'>
  quotas: Quota
  ownerServices: Pick<OwnerOptions, 'tokens' | 'cluster' | 'usageByUser' | 'load'>
  storageStatus: StorageStatusOf
  guestClaimOptions: GuestClaimOptions
}

/** Mounts the routes of every surface. */
export function mountRoutes(
  app: ReturnType<typeof createHttpApp>,
  modules: readonly ConfiguredModule[],
  {
    ready,
    scrape,
    modelAccess,
    resolveForCaller,
    resolveCaller,
    callerRules,
    page,
    providerKeys,
    mcpSignIns,
    sessions,
    pairing,
    quotas,
    ownerServices,
    guestClaimOptions,
    storageStatus,
    ...shared
  }: RouteServices,
): void {
  const agentList = modules.map(({ agent }) => agent)
  const agents = agentList.map(({ id }) => id)
  const guestAgents = modules.flatMap(({ agent, guests }) => (guests ? [agent.id] : []))
  const agentsFor = (userId: string): readonly string[] => (isGuest(userId) ? guestAgents : agents)
  const admitsGuests = callerRules.guests !== undefined && callerRules.local === undefined
  app.route('/auth', verifyTokenRoutes(resolveCaller, admitsGuests))
  app.route('/auth', pairRoutes({ ...pairing, hosts: callerRules.hosts }))
  app.route('/auth', signInRoutes({ ...callerRules, sessions }))
  app.route('/', pageRoutes(page))
  app.route('/', healthRoutes({ version, agents, ready, scrape }))
  app.route('/v1', v1Routes({ ...shared, agentsFor }))
  const offered = offerAgents(modules, modelAccess.modelOf)
  const { protocols } = shared
  app.route('/v1', agentRoutes({ agents: offered, modelsFor: modelAccess.listAll, protocols }))
  app.route('/v1', usageRoutes(quotas, storageStatus))
  const doctors = modules.map(({ agent: { id }, doctor }) => ({ id, doctor }))
  app.route('/v1', ownerRoutes({ ...ownerServices, version, agents: doctors }))
  app.route('/v1/sessions', sessionRoutes({ sessions }))
  app.route('/v1/mcp', mcpRoutes({ signIns: mcpSignIns }))
  app.route('/v1/providers', providerRoutes({ keys: providerKeys }))
  app.route('/api/v1/guest', guestClaimRoutes(guestClaimOptions))
  const server = { ...shared, resolveForCaller, agents: agentList, defaultAgent: defaultAgentId(modules) }
  const mount = ({ path, routes }: Surface): unknown => app.route(path, routes(server) as Hono<AppEnv>)
  for (const { routes = [] } of shared.protocols.values()) routes.forEach(mount)
  for (const { agent, routes, condition, notUsed, problems, views } of modules) {
    app.route('/', viewRoutes(agent.id, views))
    app.route(`/${agent.id}/chat`, chatRoutes({ ...shared, agent: agent.id }))
    const model = (userId: string) => modelAccess.modelOf(agent, userId)
    app.route(`/${agent.id}`, agentStatusRoutes({ agent, condition, notUsed, problems, version, model }))
    if (routes) app.route(`/${agent.id}`, routes)
  }
  for (const { surfaces = [] } of modules) surfaces.forEach(mount)
  app.route('/', openApiRoutes({ version, agent: agents[0] ?? '', routes: () => app.routes }))
}

/** The agents as a page offers them, with the messages of their demo scripts to try. */
function offerAgents(modules: readonly ConfiguredModule[], modelOf: ModelAccess['modelOf']): OfferedAgent[] {
  const defaultId = defaultAgentId(modules)
  return modules.map(({ agent, demo = [], condition, guests, views }) => {
    const { id, name, description, translations = {} } = agent
    const prompts = demo.flatMap(({ example: text }) => (text === undefined ? [] : bothLanguages(text)))
    const model = (userId: string) => modelOf(agent, userId)
    return {
      id,
      name,
      description,
      translations,
      isDefault: id === defaultId,
      admitsGuests: guests !== undefined,
      condition,
      prompts,
      model,
      views: offerViews(id, views),
    }
  })
}

function bothLanguages(text: DemoText) {
  return typeof text === 'string' ? { en: text, zh: text } : text
}

/** The agent that a request means if it names none. */
function defaultAgentId(modules: readonly ConfiguredModule[]): string {
  const module = modules.find(({ isDefault }) => isDefault) ?? modules[0]
  return module?.agent.id ?? ''
}

/** Finds the plug-in that serves sockets, and opens it for the same agents. */
export function socketOpener(
  plugins: readonly ServerPlugin[],
  modules: readonly ConfiguredModule[],
  shared: Omit<SocketServices, 'agents' | 'defaultAgent'>,
): (() => Promise<SocketServer>) | undefined {
  const open = plugins.find(({ openSockets }) => openSockets)?.openSockets
  if (!open) return undefined
  const agents = modules.map(({ agent: { id, name, description }, socketMessages: messages = {} }) => ({
    id,
    name,
    description,
    messages,
  }))
  return () => open({ ...shared, agents, defaultAgent: defaultAgentId(modules) })
}
