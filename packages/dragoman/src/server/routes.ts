import type { Hono } from 'hono'

import { agUi, dataStream, native, uiMessageStream, type Protocol } from '../protocols/index.ts'
import { modelSettings, type Agent, type AppEnv } from '../agents/index.ts'
import type { DemoText, ModelChoice, Models } from '../models/index.ts'
import type { ConfiguredModule } from '../modules/index.ts'
import { LOCAL_USER } from '../access/users/index.ts'
import { isGuest } from '../events/index.ts'
import type { Quota } from '../access/quota/index.ts'
import type { ResolveForCaller } from './resolve-agents.ts'
import {
  agentRoutes,
  agentStatusRoutes,
  agUiRoutes,
  verifyTokenRoutes,
  copilotKitRoutes,
  guestClaimRoutes,
  healthRoutes,
  ownerRoutes,
  pageRoutes,
  providerRoutes,
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
  type OwnerOptions,
  type ProviderKeys,
} from './surfaces/index.ts'
import type { CallerRules, ResolveCaller, createHttpApp, SocketServer } from './http/index.ts'
import type { ServerPlugin, SocketServices } from './server-plugin.ts'
import { version } from '../version.ts'

const coreProtocols = [uiMessageStream, dataStream, native, agUi]

/** All wire formats by name: the server's own and added ones. */
export function protocolsByName(others: readonly Protocol[]): ReadonlyMap<string, Protocol> {
  return new Map([...coreProtocols, ...others].map((protocol) => [protocol.name, protocol]))
}

export type RouteServices = Conversations & {
  ready: () => Promise<void>
  scrape: (() => Promise<string>) | undefined
  models: Models
  resolveForCaller: ResolveForCaller
  resolveCaller: ResolveCaller
  callerRules: CallerRules
  /** The folder of the page for `/`. */
  page: string | undefined
  providerKeys: ProviderKeys | undefined
  quotas: Quota
  ownerServices: Pick<OwnerOptions, 'tokens' | 'cluster' | 'usageByUser'>
  checkThreadRate: (userId: string) => Promise<void>
  guestClaimOptions: GuestClaimOptions
}

/** Mounts the routes of every surface. */
export function mountRoutes(
  app: ReturnType<typeof createHttpApp>,
  modules: readonly ConfiguredModule[],
  {
    ready,
    scrape,
    models,
    resolveForCaller,
    resolveCaller,
    callerRules,
    page,
    providerKeys,
    quotas,
    ownerServices,
    guestClaimOptions,
    checkThreadRate,
    ...shared
  }: RouteServices,
): void {
  const agentList = modules.map(({ agent }) => agent)
  const agents = agentList.map(({ id }) => id)
  const guestAgents = modules.flatMap(({ agent, guests }) => (guests ? [agent.id] : []))
  const agentsFor = (userId: string): readonly string[] => (isGuest(userId) ? guestAgents : agents)
  const admitsGuests = callerRules.guests !== undefined && callerRules.local === undefined
  const modelOf = (agent: Agent) => models.choose(modelSettings(agent.model))
  app.route('/auth', verifyTokenRoutes(resolveCaller, admitsGuests))
  app.route('/auth', signInRoutes(callerRules))
  app.route('/', pageRoutes(page))
  app.route('/', healthRoutes({ version, agents, ready, scrape }))
  app.route('/v1', v1Routes({ ...shared, agentsFor, checkThreadRate }))
  const selectableModels = (): readonly string[] => models.selectable?.() ?? []
  const offered = offerAgents(modules, modelOf)
  app.route('/v1', agentRoutes({ agents: offered, selectableModels, protocols: shared.protocols }))
  app.route('/v1', usageRoutes(quotas))
  const doctors = modules.map(({ agent: { id }, doctor }) => ({ id, doctor }))
  const owned = { ...ownerServices, owner: LOCAL_USER, version, agents: doctors }
  app.route('/v1', ownerRoutes(owned))
  app.route('/v1/providers', providerRoutes({ keys: providerKeys, owner: LOCAL_USER }))
  app.route('/api/v1/guest', guestClaimRoutes(guestClaimOptions))
  app.route('/ag-ui', agUiRoutes({ ...shared, agents: agentList }))
  app.route(
    '/copilotkit',
    copilotKitRoutes({ ...shared, version, agents: agentList, defaultAgent: defaultAgentId(modules) }),
  )
  const server = { ...shared, resolveForCaller }
  for (const { agent, routes, condition, notUsed, problems, views } of modules) {
    app.route('/', viewRoutes(agent.id, views))
    app.route(`/${agent.id}/chat`, chatRoutes({ ...shared, agent: agent.id }))
    const model = () => modelOf(agent)
    app.route(`/${agent.id}`, agentStatusRoutes({ agent, condition, notUsed, problems, version, model }))
    if (routes) app.route(`/${agent.id}`, routes)
  }
  for (const { path, routes } of modules.flatMap(({ surfaces = [] }) => surfaces))
    app.route(path, routes(server) as Hono<AppEnv>)
  app.route('/', openApiRoutes({ version, agent: agents[0] ?? '', routes: () => app.routes }))
}

/** The agents as a page offers them, with the messages of their demo scripts to try. */
function offerAgents(
  modules: readonly ConfiguredModule[],
  modelOf: (agent: Agent) => ModelChoice,
): OfferedAgent[] {
  const defaultId = defaultAgentId(modules)
  return modules.map(({ agent, demo = [], condition, guests, views }) => {
    const { id, name, description, translations = {} } = agent
    const prompts = demo.flatMap(({ example: text }) => (text === undefined ? [] : bothLanguages(text)))
    const model = () => modelOf(agent)
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
