import { createModelFinder } from './create-model-finder.ts'
import type { Config } from '../config/config.ts'
import type { StorageMeter } from '../access/storage/index.ts'
import type { createAccess } from './create-access.ts'
import type { ConversationErasure } from './conversation-erasure.ts'
import type { Models } from '../models/index.ts'
import { noteActivity } from '../log/index.ts'
import type { ConfiguredModule } from '../modules/index.ts'
import { mountRoutes, socketOpener } from './routes.ts'
import { type Stores } from './open-stores.ts'
import type { FileStore } from '../files/index.ts'
import type { Runs } from '../runs/index.ts'
import { type resolveAgents, type ResolveForCaller } from './resolve-agents.ts'
import {
  createReplies,
  type Conversations,
  type McpSignIns,
  type ProviderKeys,
  type ServerProtocol,
} from './surfaces/index.ts'
import type { ProcessLog, ServerEvent } from '../observability/index.ts'
import type { RefusalLog } from './refusal-log.ts'
import { createInProcessRuns } from './in-process-runs.ts'
import type { ServerPlugin, SocketServices } from './server-plugin.ts'
import type { ThreadServices } from '../threads/index.ts'
import type { createFanOut } from './fan-out/index.ts'
import { callerResolver, createHttpApp, type AppOptions } from './http/index.ts'

/** The parts of a server that has not started to serve yet. */
export type ServerParts = {
  readonly stores: Stores
  readonly log: ProcessLog
  readonly models: Models
  /** Undefined if the application brings its own models. */
  readonly providerKeys: ProviderKeys | undefined
  readonly threadServices: ThreadServices
  readonly access: ReturnType<typeof createAccess>
  readonly modules: readonly ConfiguredModule[]
  readonly plugins: readonly ServerPlugin[]
  /** The wire formats of agents, plug-ins and options. */
  readonly protocols: readonly ServerProtocol[]
  readonly staff: ReturnType<typeof resolveAgents>
  readonly resolveForCaller: ResolveForCaller
  readonly fanOut: ReturnType<typeof createFanOut>
  readonly activeRuns: Runs
  readonly erasure: ConversationErasure
  readonly storageMeter: StorageMeter
  readonly files: FileStore
  readonly mcpSignIns: McpSignIns
  readonly onEvent: (event: ServerEvent) => void
  readonly refusals: RefusalLog
  readonly scrape: (() => Promise<string>) | undefined
  /** Closes the observers, after the runs have ended. */
  readonly close: () => Promise<void>
}

/** What the surfaces share. */
function createSurfaceServices(parts: ServerParts) {
  const { threadServices, access, fanOut, activeRuns } = parts
  return {
    ...threadServices,
    protocols: new Map(parts.protocols.map((protocol) => [protocol.name, protocol])),
    runs: activeRuns,
    files: parts.files,
    changes: parts.stores.changes,
    requireModel: access.modelAccess.requireModel,
    findModel: createModelFinder(access.modelAccess),
    replies: createReplies({
      runs: activeRuns,
      fanOut,
      messagePages: threadServices.messagePages,
      projector: threadServices.projector,
    }),
  } satisfies Conversations
}

/** Monitoring asks for them, also of a server that has nothing to do. */
const WATCHED_PATHS = new Set(['/health', '/ready', '/metrics'])

function createRequestLog({ log, onEvent }: Pick<ServerParts, 'log' | 'onEvent'>): AppOptions['logRequest'] {
  return ({ route, ...line }) => {
    log.request(line)
    if (!WATCHED_PATHS.has(line.path)) noteActivity()
    const { method, status, ms } = line
    onEvent({ type: 'request', method, route, status, seconds: ms / 1000 })
  }
}

/** Creates all APIs, over HTTP and Socket.IO. */
export function createApis(
  config: Config,
  parts: ServerParts,
  { ready, cut }: { readonly ready: () => Promise<void>; readonly cut: AbortSignal },
) {
  const { log, onEvent, providerKeys, access, modules, plugins, fanOut } = parts
  const { load, callerRules } = access
  const app = createHttpApp({
    ...callerRules,
    origins: config.origins,
    basePath: config.basePath,
    load,
    bodyBytes: config.limits.bodyBytes,
    report: log.report,
    logRequest: createRequestLog(parts),
    onRefused(refused) {
      const kind = parts.refusals.note(refused)
      if (kind !== undefined) onEvent({ type: 'refusal', kind })
    },
    cut,
    ...(providerKeys && { beforeAnswer: providerKeys.refresh }),
  })
  const conversations = createSurfaceServices(parts)
  const resolveCaller = callerResolver(callerRules)
  mountRoutes(app, modules, {
    ...conversations,
    resolveCaller,
    callerRules,
    providerKeys,
    mcpSignIns: parts.mcpSignIns,
    page: plugins.find(({ page }) => page !== undefined)?.page,
    sessions: access.sessions,
    pairing: { pairings: access.pairings, show: log.pairing },
    quotas: access.quotas,
    ownerServices: { ...access, cluster: parts.stores.cluster },
    guestClaimOptions: access.guestClaimOptions,
    storageStatus: access.storageStatus,
    scrape: parts.scrape,
    ready,
    modelAccess: access.modelAccess,
    resolveForCaller: parts.resolveForCaller,
  })
  const fetchFor: SocketServices['fetch'] = async (request, socketCaller) =>
    app.fetch(request, { socketCaller })
  const sockets = socketOpener(plugins, modules, {
    ...conversations,
    fetch: fetchFor,
    resolveCaller,
    fanOut,
    callerRules,
    load,
    messageBytes: config.limits.bodyBytes,
    origins: config.origins,
    report: log.report,
    logMessage: log.request,
  })
  return { fetch: app.fetch, sockets, runs: createInProcessRuns(fetchFor) }
}
