import type { Configured } from './agent/index.ts'
import type { Models } from './models/index.ts'
import {
  agentEvents,
  agUi,
  dataStream,
  envelope,
  eve,
  native,
  uiMessageStream,
  useAi,
  vibelife,
} from './protocols/index.ts'
import type { Quota } from './quota/index.ts'
import { sessionsOf, type StaffFor } from './staff.ts'
import {
  agentChat,
  agentStatus,
  agUiApi,
  auth,
  chatStream,
  copilotKit,
  guestClaim,
  home,
  jobsChat,
  nativeApi,
  openApi,
  socketIoApi,
  vibeLifeChat,
  usageRoutes,
  type Conversations,
  type GuestClaimOptions,
  type SocketApiOptions,
} from './surfaces/index.ts'
import { socketIo, type CallerOf, type httpApp, type SocketsOptions } from './transports/index.ts'
import { version } from './version.ts'

/** What is spoken here, by name. */
export const dialects = new Map(
  [uiMessageStream, dataStream, eve, vibelife, native, agentEvents, envelope, agUi, useAi].map((protocol) => [
    protocol.name,
    protocol,
  ]),
)

export type Mounted = Conversations & {
  ready: () => Promise<void>
  scrape: (() => Promise<string>) | undefined
  models: Models
  staffFor: StaffFor
  callerOf: CallerOf
  quotas: Quota
  visitors: GuestClaimOptions
}

/** Where VibeLife's clients look for it. */
const VIBELIFE = '/api/v1/chat/v5'

/** Which surface is where. */
export function mount(
  app: ReturnType<typeof httpApp>,
  capabilities: readonly Configured[],
  { ready, scrape, models, staffFor, callerOf, quotas, visitors, ...shared }: Mounted,
): void {
  const named = capabilities.map(({ agent }) => agent)
  const agents = named.map(({ id }) => id)
  app.route('/auth', auth(callerOf))
  app.route('/', home({ version, agents, ready, scrape }))
  app.route('/v1', nativeApi({ ...shared, agents }))
  app.route('/v1', usageRoutes(quotas))
  app.route('/api/v1/guest', guestClaim(visitors))
  app.route('/ag-ui', agUiApi({ ...shared, agents: named }))
  app.route(
    '/copilotkit',
    copilotKit({
      ...shared,
      version,
      agents: named,
      defaultAgent: defaultOf(agents),
    }),
  )
  if (agents.includes('coding'))
    app.route('/api/agent-chat', agentChat({ ...shared, agent: 'coding', protocol: agentEvents, staffFor }))
  for (const capability of capabilities) {
    const { agent, routes, routesAt = {} } = capability
    app.route(`/${agent.id}/chat`, jobsChat({ ...shared, agent: agent.id }))
    app.route(`/${agent.id}`, agentStatus({ capability, version, model: () => models.choose(agent.model) }))
    app.route(`/${agent.id}`, routes)
    for (const [path, own] of Object.entries(routesAt)) app.route(path, own)
  }
  if (agents.includes('life')) app.route(VIBELIFE, vibeLifeChat({ ...shared, agent: 'life', at: VIBELIFE }))
  const sessions = sessionsOf(capabilities, models)
  if (sessions) app.route('/api', chatStream({ ...shared, ...sessions }))
  app.route('/', openApi({ version, routes: () => app.routes }))
}

type Lines = Omit<SocketApiOptions, 'agents' | 'defaultAgent' | 'noted'> &
  Omit<SocketsOptions, 'serve'> & { readonly answered: SocketApiOptions['noted'] }

/** The agent that is meant where none is named. */
function defaultOf(agents: readonly string[]): string {
  return agents.find((id) => id === 'assistant') ?? agents[0] ?? ''
}

/** The same agents over Socket.IO. */
export function socketsOf(
  capabilities: readonly Configured[],
  { callerOf, origins, audience, ...shared }: Lines,
): ReturnType<typeof socketIo> {
  const agents = capabilities.map(({ agent: { id, name, description } }) => ({
    id,
    name,
    annotation: description,
  }))
  const { report, answered: noted } = shared
  const defaultAgent = defaultOf(agents.map(({ id }) => id))
  const serve = socketIoApi({ ...shared, noted, agents, defaultAgent })
  return socketIo({ callerOf, origins, audience, report, serve })
}
