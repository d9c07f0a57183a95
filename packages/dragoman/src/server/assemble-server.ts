import type { AgentServices } from '../agents/index.ts'
import type { Cluster } from '../cluster/index.ts'
import type { Config } from '../config/config.ts'
import type { FileStore } from '../files/index.ts'
import { readBacklog, runLog, type RunLog } from '../log/index.ts'
import type { Models } from '../models/index.ts'
import type { AgentFactory } from '../modules/index.ts'
import { observeRuns, type ObserverPorts, type ProcessLog } from '../observability/index.ts'
import { runs, type RunsOptions } from '../runs/index.ts'
import type { SafeFetch } from '../safe-fetch/index.ts'
import { createContextReader, createContextUpdater, type ThreadServices } from '../threads/index.ts'
import { version } from '../version.ts'
import { createDeferredAgentServices, type DeferredAgentServices } from './deferred-agent-services.ts'
import { createAgentServices } from './agent-services.ts'
import type { ServerOptions } from './server-options.ts'
import { createEngines } from './create-engines.ts'
import { createDelegate } from './delegate.ts'
import { createAccess } from './create-access.ts'
import { createRefusalLog } from './refusal-log.ts'
import { createRunJournal } from './run-journal.ts'
import { createRunLoad } from './create-run-load.ts'
import type { ConversationErasure } from './conversation-erasure.ts'
import { createFanOut } from './fan-out/index.ts'
import type { Stores } from './open-stores.ts'
import type { OutageWatch } from './outage-watch.ts'
import type { ServerPlugin } from './server-plugin.ts'
import { createConversationSearch } from './conversation-search.ts'
import { createRunFiles } from './create-files.ts'
import { createConversations } from './create-conversations.ts'
import type { UserStorage } from './user-storage.ts'
import type { ModelAccess } from './model-access.ts'
import { createMcpSignIns } from './mcp-sign-ins.ts'
import { findPlace } from './find-place.ts'
import { configureModules } from './configure-modules.ts'
import { listProtocols, protocolPaths } from './server-protocols.ts'
import type { ProviderKeys } from './surfaces/index.ts'
import { startServer, type StartedServer } from './start-server.ts'
import { createCallerResolver, modelOfRun, resolveAgents } from './resolve-agents.ts'

type OpenParts = {
  readonly factories: readonly AgentFactory[]
  readonly stores: Stores
  readonly log: ProcessLog
  readonly hashUser: ObserverPorts['hashUser']
  readonly outages: Pick<OutageWatch, 'isAway'>
} & ServedModels

/** Undefined keys: the application brings its own models. */
export type ServedModels = { readonly models: Models; readonly providerKeys: ProviderKeys | undefined }

/** Creates the parts of a server, each after those that it needs. */
export async function assembleServer(
  config: Config,
  options: ServerOptions,
  parts: OpenParts,
): Promise<StartedServer> {
  const { stores, log, hashUser, outages, models, providerKeys } = parts
  const plugins = options.plugins ?? []
  const engines = createEngines(models, options.engines)
  const registry = createDeferredAgentServices(models)
  const conversations = createConversations(config, { stores, registry })
  const { threadServices, erasure, guestAccess, userStorage, files, signIns } = conversations
  const services = createServices(config, options, { ...conversations, stores, log, registry })
  const paths = protocolPaths(listProtocols(config, [...plugins, options]))
  const modules = await configureModules(config, { ...parts, services, signIns, engines, paths })
  const eventLog = runLog(stores.store, stores.notifier, stores.changes)
  const fanOut = createFanOut({ store: stores.store, log: eventLog })
  const admission = { ...stores, models, modules, auth: options.auth, guestAccess, userStorage, files }
  const access = createAccess(config, { ...threadServices, ...admission })
  const resolvedAgents = resolveAgents(modules, engines.created, models, access)
  const common = { stores, log, models, plugins, access, staff: resolvedAgents, fanOut, providerKeys }
  const { activeRuns, onEvent, scrape, close } = await startRuns(config, {
    ...common,
    ...conversations,
    cluster: options.cluster,
    hashUser,
    outages,
    eventLog,
    safeFetch: services.safeFetch,
  })
  const delegate = createDelegate({ runs: activeRuns, log: eventLog, staff: resolvedAgents })
  registry.start({ modules, access, runs: activeRuns, delegate })
  return startServer(config, {
    ...common,
    protocols: listProtocols(config, [...plugins, ...modules, options]),
    threadServices,
    modules,
    resolveForCaller: createCallerResolver({
      staff: resolvedAgents,
      engines: engines.factories,
      models,
      access,
      outward: services.safeFetch,
      answers: { limits: config.limits, warn: log.warn },
    }),
    activeRuns,
    erasure,
    files,
    mcpSignIns: createMcpSignIns({ ...services, ...stores, modules, store: signIns }),
    storageMeter: userStorage.createMeter(modules, threadServices.recount, files),
    onEvent,
    refusals: createRefusalLog(log),
    scrape,
    close,
  })
}

type RunPorts = {
  readonly models: Models
  readonly stores: Pick<Stores, 'store' | 'damagedReads'>
  readonly cluster: Cluster | undefined
  readonly hashUser: ObserverPorts['hashUser']
  readonly outages: Pick<OutageWatch, 'isAway'>
  readonly eventLog: RunLog
  readonly log: ProcessLog
  readonly plugins: readonly ServerPlugin[]
  readonly threadServices: ThreadServices
  readonly access: ReturnType<typeof createAccess>
  readonly userStorage: Pick<UserStorage, 'mayStore'>
  readonly files: FileStore
  readonly safeFetch: SafeFetch
  readonly staff: ReturnType<typeof resolveAgents>
  readonly fanOut: ReturnType<typeof createFanOut>
  readonly providerKeys: ProviderKeys | undefined
}

/** Creates the runs and the plug-ins' observers. */
async function startRuns(config: Config, ports: RunPorts) {
  const { stores, eventLog, log, threadServices, access, staff, fanOut } = ports
  const { store, damagedReads } = stores
  const observers = ports.plugins.flatMap(({ observe }) => (observe ? [observe.bind(undefined, config)] : []))
  const observation = await observeRuns(observers, {
    log: eventLog,
    store,
    lines: log,
    version,
    hashUser: ports.hashUser,
    isDatabaseAway: ports.outages.isAway,
    load: access.load.totals,
    cluster: ports.cluster,
    waiting: threadServices.questions.runs,
    backlog: () => readBacklog(store, config.keepLogs),
    damagedReads,
  })
  const onEvent = observation?.onServerEvent ?? (() => undefined)
  const activeRuns = runs({
    store,
    log: observation?.log ?? eventLog,
    report: log.report,
    journal: createRunJournal({
      store,
      lines: log,
      nameModel: modelOfRun(staff, ports.models),
      onEvent,
    }),
    onFenced: log.runLost,
    limits: config.limits,
    load: createRunLoad(access.load),
    answerWithin: config.answerWithin,
    questions: threadServices.questions,
    ...(observation && { onAttempt: observation.follow }),
    onReleased(runId) {
      fanOut.disconnectReaders(runId)
      observation?.release(runId)
    },
    threads: threadServices.threads,
    history: threadServices.history,
    projector: threadServices.projector,
    agents: staff,
    modelFor: modelForRun(access.modelAccess),
    ...(ports.providerKeys && { beforeAttempt: ports.providerKeys.refresh }),
    ...findPlace(config, ports.cluster),
    mayStart: access.checkStart,
    mayStore: ports.userStorage.mayStore,
    files: createRunFiles(ports.files, ports.safeFetch),
    notStarted: access.onNotStarted,
    beforeRemoval: access.quotas.catchUp,
  })
  return { activeRuns, onEvent, scrape: observation?.scrape, close: async () => observation?.close() }
}

/** An agent's own settings stay as they are where nothing else is said. */
function modelForRun({ settingsFor }: ModelAccess): RunsOptions['modelFor'] {
  return (agent, userId, model) => {
    const settings = settingsFor(agent, userId, model)
    return model === undefined && !settings.filter ? agent.model : settings
  }
}

type Services = Omit<AgentServices, 'settings'>

function createServices(
  config: Config,
  { cluster }: Pick<ServerOptions, 'cluster'>,
  { stores, log, threadServices, erasure, registry, userStorage }: ServicePorts,
): Services {
  return createAgentServices(config, {
    database: stores.db,
    report: (error) => log.report(error, 'agent'),
    warn: log.warn,
    readThreadContext: createContextReader(threadServices.threads, findPlace(config, cluster).place),
    updateThreadContext: createContextUpdater(threadServices.threads),
    searchMessages: createConversationSearch(threadServices, stores.store),
    exportThreads: erasure.exportThreads,
    deleteThreads: erasure.deleteThreads,
    delegate: registry.delegate,
    delegates: registry.delegates,
    model: registry.model,
    storage: userStorage.forAgents,
    downloadPlace: registry.downloadPlace,
  })
}

type ServicePorts = {
  readonly stores: Stores
  readonly log: ProcessLog
  readonly threadServices: ThreadServices
  readonly erasure: ConversationErasure
  readonly registry: DeferredAgentServices
  readonly userStorage: UserStorage
}
