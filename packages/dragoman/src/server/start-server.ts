import { createModelFinder } from './create-model-finder.ts'
import { startBackgroundWork } from './background-work.ts'
import type { Config } from '../config/config.ts'
import { ServiceError, statusOf } from '../errors.ts'
import type { StorageMeter } from '../access/storage/index.ts'
import type { createAccess } from './create-access.ts'
import type { ConversationErasure } from './conversation-erasure.ts'
import { isReconfigurable, type Models } from '../models/index.ts'
import { createProviderKeys } from './provider-keys.ts'
import type { ConfiguredModule } from '../modules/index.ts'
import { mountRoutes, protocolsByName, socketOpener } from './routes.ts'
import { watchTables, type Stores } from './open-stores.ts'
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
  readonly storageMeter: StorageMeter
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
  /** Resolves with the reason if the server has to stop by itself, and does so. */
  readonly stopped: Promise<ServiceError>
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
  const end = async (): Promise<void> => {
    closing.abort()
    const closed = listening?.close().catch((error: unknown) => log.report(error, 'closing'))
    const detached = Promise.all(attachments.map((each) => each.close()))
    await closeInOrder(
      [activeRuns.close, () => closed, () => detached, () => Promise.all(backgroundWork), parts.close],
      log.report,
    )
  }
  const { close, stop, stopped, stopReason } = stopOnce(end, log.report)
  try {
    backgroundWork.push(...startBackgroundWork(config, parts, closing.signal))
    backgroundWork.push(watchTables(parts.stores, closing.signal, stop))
    const ready = async (): Promise<void> => {
      if (closing.signal.aborted) throw new ServiceError('unavailable', 'The server is shutting down.')
      await parts.stores.ready()
    }
    const { fetch, sockets } = createApis(config, parts, ready)
    await activeRuns.recovered
    return {
      fetch: async (request) => refuseIf(stopReason()) ?? fetch(request),
      async listen({ port = config.port } = {}) {
        await access.requireCaller()
        listening = await listen(fetch, {
          host: config.host,
          port,
          limits: config.limits,
          load: access.load,
          proxies: access.callerRules.proxies,
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
      stopped,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Ends a server once, when it is asked to or by itself. */
function stopOnce(end: () => Promise<void>, report: ProcessLog['report']) {
  const { promise: stopped, resolve } = Promise.withResolvers<ServiceError>()
  let ending: Promise<void> | undefined
  let reason: ServiceError | undefined
  const close = (): Promise<void> => (ending ??= end())
  return {
    close,
    stopped,
    stopReason: () => reason,
    stop(error: ServiceError): void {
      reason = error
      report(error, 'database')
      resolve(error)
      void close()
    },
  }
}

/** The response of a server that has stopped by itself, but is still mounted in another one. */
function refuseIf(reason: ServiceError | undefined): Response | undefined {
  return reason && Response.json({ error: reason.message, code: reason.code }, { status: statusOf(reason) })
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
  const { origins } = config
  const { load } = access
  const app = createHttpApp({
    ...access.callerRules,
    origins,
    load,
    report: log.report,
    logRequest: log.request,
  })
  const conversations: Conversations = {
    ...threadServices,
    protocols: protocolsByName(parts.protocols),
    runs: activeRuns,
    requireModel: access.modelAccess.requireModel,
    findModel: createModelFinder(access.modelAccess),
    replies: createReplies({
      runs: activeRuns,
      fanOut,
      messagePages: threadServices.messagePages,
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
    sessions: access.sessions,
    pairing: {
      pairings: access.pairings,
      show: log.pairing,
    },
    quotas: access.quotas,
    ownerServices: { ...access, cluster: parts.stores.cluster },
    guestClaimOptions: access.guestClaimOptions,
    storageStatus: access.storageStatus,
    scrape: parts.scrape,
    ready,
    modelAccess: access.modelAccess,
    resolveForCaller: parts.resolveForCaller,
  })
  const sockets = socketOpener(plugins, modules, {
    ...conversations,
    resolveCaller,
    fanOut,
    callerRules: access.callerRules,
    load,
    origins,
    report: log.report,
    logMessage: log.request,
  })
  return { fetch: app.fetch, sockets }
}
