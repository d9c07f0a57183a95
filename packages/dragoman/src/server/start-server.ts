import { createTrustedClock } from './trusted-clock.ts'
import type { Config } from '../config/config.ts'
import { ServiceError } from '../errors.ts'
import type { createAccess } from './create-access.ts'
import type { ConversationErasure } from './conversation-erasure.ts'
import { upkeep } from '../log/index.ts'
import { isReconfigurable, type Models } from '../models/index.ts'
import { createProviderKeys } from './provider-keys.ts'
import type { ConfiguredModule } from '../modules/index.ts'
import { mountRoutes, protocolsByName, socketOpener } from './routes.ts'
import { generateTitles } from './title-generator.ts'
import { watchFiles, type Stores } from './open-stores.ts'
import type { Protocol } from '../protocols/index.ts'
import type { Runs } from '../runs/index.ts'
import { modelNames, type resolveAgents, type ResolveForCaller } from './resolve-agents.ts'
import { createReplies, type Conversations } from './surfaces/index.ts'
import type { ProcessLog } from '../observability/index.ts'
import type { ServerPlugin } from './server-plugin.ts'
import type { ThreadServices } from '../threads/index.ts'
import type { createFanOut } from './fan-out/index.ts'
import {
  attachSockets,
  callerResolver,
  createHttpApp,
  listen,
  type HttpServer,
  type Listening,
} from './http/index.ts'

/** The parts of a server that has not started to serve yet. */
type ServerParts = {
  readonly stores: Stores
  readonly log: ProcessLog
  readonly models: Models
  readonly threadServices: ThreadServices
  readonly access: ReturnType<typeof createAccess>
  readonly modules: readonly ConfiguredModule[]
  readonly plugins: readonly ServerPlugin[]
  /** The wire formats of agents, plug-ins and options. */
  readonly protocols: readonly Protocol[]
  readonly staff: ReturnType<typeof resolveAgents>
  readonly resolveForCaller: ResolveForCaller
  readonly fanOut: ReturnType<typeof createFanOut>
  readonly activeRuns: Runs
  readonly erasure: ConversationErasure
  readonly scrape: (() => Promise<string>) | undefined
  /** Closes the observers, after the runs have ended. */
  readonly close: () => Promise<void>
}

export type StartedServer = {
  readonly fetch: (request: Request) => Promise<Response>
  listen(options?: { readonly port?: number }): Promise<string>
  attach(server: HttpServer): void
  /** Ends runs, readers and all background work. */
  close(): Promise<void>
}

const NO_SOCKETS_MESSAGE =
  'attach: this server has no sockets. Add socketIo() of @dragoman/socket-io to plugins of createServer.'

/** Starts to serve requests and to do background work. If it throws, it has ended what it started. */
export async function startServer(config: Config, parts: ServerParts): Promise<StartedServer> {
  const { log, models, access, modules, activeRuns } = parts
  const closing = new AbortController()
  const backgroundWork: Promise<void>[] = []
  const attachments: ReturnType<typeof attachSockets>[] = []
  let listening: Listening | undefined
  const close = async (): Promise<void> => {
    closing.abort()
    const closed = listening?.close().catch((error: unknown) => log.report(error, 'closing'))
    const detached = Promise.all(attachments.map((each) => each.close()))
    await closeInOrder(
      [activeRuns.close, () => closed, () => detached, () => Promise.all(backgroundWork), parts.close],
      log.report,
    )
  }
  try {
    backgroundWork.push(...startBackgroundWork(config, parts, closing.signal))
    const ready = async (): Promise<void> => {
      if (closing.signal.aborted) throw new ServiceError('unavailable', 'The server is shutting down.')
      await parts.stores.ready()
    }
    const { fetch, sockets } = createApis(config, parts, ready)
    await activeRuns.recovered
    return {
      fetch: async (request) => fetch(request),
      async listen({ port = config.port } = {}) {
        await access.requireCaller()
        listening = await listen(fetch, {
          host: config.host,
          port,
          limits: config.limits,
          ...(sockets && { sockets }),
        })
        log.info({ url: listening.url, home: config.home, model: modelNames(modules, models) }, 'listening')
        return listening.url
      },
      attach(server) {
        if (!sockets) throw new ServiceError('invalid-request', NO_SOCKETS_MESSAGE)
        attachments.push(attachSockets(server, sockets))
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Calls all in order, even if one throws. */
export async function closeInOrder(
  closers: readonly (() => unknown)[],
  report: ProcessLog['report'],
): Promise<void> {
  for (const end of closers) {
    try {
      await end()
    } catch (error) {
      report(error, 'closing')
    }
  }
}

/** Creates all APIs, over HTTP and Socket.IO. */
function createApis(config: Config, parts: ServerParts, ready: () => Promise<void>) {
  const { log, models, threadServices, access, modules, plugins, fanOut, activeRuns } = parts
  const { origins, limits } = config
  const app = createHttpApp({
    ...access.callerRules,
    origins,
    limits,
    report: log.report,
    logRequest: log.request,
  })
  const conversations: Conversations = {
    ...threadServices,
    protocols: protocolsByName(parts.protocols),
    runs: activeRuns,
    mustReach: (model) => models.requireReachable?.(model),
    replies: createReplies({
      runs: activeRuns,
      fanOut,
      readerRegistry: access.readerRegistry,
      history: threadServices.history,
      projector: threadServices.projector,
    }),
  }
  const resolveCaller = callerResolver(access.callerRules)
  mountRoutes(app, modules, {
    ...conversations,
    resolveCaller,
    callerRules: access.callerRules,
    providerKeys: isReconfigurable(models) ? createProviderKeys({ ...config, models }) : undefined,
    page: plugins.find(({ page }) => page !== undefined)?.page,
    quotas: access.quotas,
    ownerServices: { ...access, cluster: parts.stores.cluster },
    guestClaimOptions: access.guestClaimOptions,
    checkThreadRate: access.checkThreadRate,
    scrape: parts.scrape,
    ready,
    models,
    resolveForCaller: parts.resolveForCaller,
  })
  const sockets = socketOpener(plugins, modules, {
    ...conversations,
    resolveCaller,
    fanOut,
    callerRules: access.callerRules,
    readerRegistry: access.readerRegistry,
    origins,
    limits,
    report: log.report,
    logMessage: log.request,
  })
  return { fetch: app.fetch, sockets }
}

type BackgroundWork = (signal: AbortSignal, report: (error: unknown) => void) => Promise<void>

/** The background work of the server, until it closes. */
function startBackgroundWork(
  config: Config,
  { stores, models, log, threadServices, access, modules, staff, erasure }: ServerParts,
  signal: AbortSignal,
): Promise<void>[] {
  const { store, db, cluster } = stores
  const { report } = log
  const reportAs = (where: string) => (error: unknown) => report(error, where)
  const { isTrusted } = createTrustedClock(db, log.warn)
  const { keepLogs, titles } = config
  const { keepUp, catchUp } = threadServices.projector
  const pruneAgentData = async (before: Date): Promise<void> => {
    for (const { prune } of modules) await prune?.(before)
  }
  /** Work of one node at a time. */
  const lead = (name: string, work: BackgroundWork): Promise<void> =>
    cluster.lead(name, (leading) => work(leading, reportAs(name)), signal)
  return [
    watchFiles({ check: stores.check }, signal, reportAs('database')),
    access.watchTokens(signal, reportAs('tokens')),
    lead('projector', keepUp),
    lead('usage', access.quotas.keepUp),
    lead('guests', (leading, onError) => access.expireGuests(isTrusted, leading, onError)),
    lead('erasures', erasure.eraseQueued),
    lead('upkeep', (leading) =>
      upkeep({ store, keepLogs, projected: catchUp, pruneAgentData, isTrusted, report }, leading),
    ),
    lead('titles', (leading, onError) => generateTitles({ titles, db, models, staff }, leading, onError)),
    ...modules.flatMap(({ agent, background }) => (background ? lead(agent.id, background) : [])),
  ]
}
