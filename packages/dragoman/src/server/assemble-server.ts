import type { AgentEngine, AgentServices, EngineFactory } from '../agents/index.ts'
import type { Cluster } from '../cluster/index.ts'
import type { Config } from '../config/config.ts'
import { defaultEngine } from '../engine/index.ts'
import { runLog, type RunLog, type Store } from '../log/index.ts'
import { isConfigured, type Models } from '../models/index.ts'
import { checkAgents, applyAgentFiles, type AgentFactory, type ConfiguredModule } from '../modules/index.ts'
import { observeRuns, type ProcessLog } from '../observability/index.ts'
import { runs } from '../runs/index.ts'
import {
  createContextReader,
  createContextUpdater,
  createThreadServices,
  type ThreadServices,
} from '../threads/index.ts'
import { version } from '../version.ts'
import { createDeferredAgentServices, type DeferredAgentServices } from './deferred-agent-services.ts'
import { createAgentServices } from './agent-services.ts'
import type { ServerOptions } from './server-options.ts'
import { createDelegate } from './delegate.ts'
import { createAccess } from './create-access.ts'
import { createConversationErasure, type ConversationErasure } from './conversation-erasure.ts'
import { createFanOut } from './fan-out/index.ts'
import type { Stores } from './open-stores.ts'
import type { ServerPlugin } from './server-plugin.ts'
import { createConversationSearch } from './conversation-search.ts'
import { createModules } from './create-modules.ts'
import { findPlace } from './find-place.ts'
import { startServer, type StartedServer } from './start-server.ts'
import { createCallerResolver, resolveAgents } from './resolve-agents.ts'

/** The server's own engine, by the names that an agent may give. `ai-sdk` is its earlier name. */
export const coreEngines: readonly EngineFactory[] = ['default', 'ai-sdk'].map((name) => ({
  name,
  create: defaultEngine,
}))

type OpenParts = {
  readonly factories: readonly AgentFactory[]
  readonly stores: Stores
  readonly log: ProcessLog
  readonly models: Models
}

/** Creates the parts of a server, each after those that it needs. */
export async function assembleServer(
  config: Config,
  options: ServerOptions,
  parts: OpenParts,
): Promise<StartedServer> {
  const { factories, stores, log, models } = parts
  const { store, db } = stores
  const plugins = options.plugins ?? []
  const engines = createEngines(models, options.engines)
  const registry = createDeferredAgentServices(models)
  const threadServices = createThreadServices(db, store, {
    titles: config.titles,
    titleLength: registry.titleLength,
  })
  const erasure = createConversationErasure({ ...threadServices, db, store, forget: registry.forget })
  const services = createServices(config, options, { stores, log, threadServices, erasure, registry })
  const names = [...engines.created.keys()]
  const modules = await configureModules(config, { factories, services, log, models, engines: names })
  const resolvedAgents = resolveAgents(modules, engines.created, models)
  const eventLog = runLog(store, stores.notifier)
  const fanOut = createFanOut({ store, log: eventLog })
  const access = createAccess(config, { ...threadServices, ...stores, modules, auth: options.auth })
  const { activeRuns, scrape, close } = await startRuns(config, {
    store,
    cluster: options.cluster,
    eventLog,
    log,
    plugins,
    threadServices,
    access,
    staff: resolvedAgents,
    fanOut,
  })
  const delegate = createDelegate({ runs: activeRuns, log: eventLog, staff: resolvedAgents })
  registry.start({ modules, runs: activeRuns, delegate })
  const added = [...plugins, ...modules].flatMap(({ protocols = [] }) => protocols)
  return startServer(config, {
    stores,
    log,
    models,
    plugins,
    protocols: [...(options.protocols ?? []), ...added],
    threadServices,
    access,
    modules,
    staff: resolvedAgents,
    resolveForCaller: createCallerResolver({
      staff: resolvedAgents,
      engines: engines.factories,
      models,
      outward: services.safeFetch,
      limits: config.limits,
    }),
    fanOut,
    activeRuns,
    erasure,
    scrape,
    close,
  })
}

type RunPorts = {
  readonly store: Store
  readonly cluster: Cluster | undefined
  readonly eventLog: RunLog
  readonly log: ProcessLog
  readonly plugins: readonly ServerPlugin[]
  readonly threadServices: ThreadServices
  readonly access: ReturnType<typeof createAccess>
  readonly staff: ReturnType<typeof resolveAgents>
  readonly fanOut: ReturnType<typeof createFanOut>
}

/** Creates the runs and the plug-ins' observers. */
async function startRuns(config: Config, ports: RunPorts) {
  const { store, eventLog, log, threadServices, access, staff, fanOut } = ports
  const observers = ports.plugins.flatMap(({ observe }) => (observe ? [observe.bind(undefined, config)] : []))
  const observation = await observeRuns(observers, {
    log: eventLog,
    store,
    lines: log,
    version,
    readers: access.readerRegistry.count,
    cluster: ports.cluster,
    waiting: threadServices.questions.runs,
  })
  const activeRuns = runs({
    store,
    log: observation?.log ?? eventLog,
    report: log.report,
    onFenced: log.runLost,
    limits: config.limits,
    answerWithin: config.answerWithin,
    ...(observation && { onAttempt: observation.follow }),
    onReleased(runId) {
      fanOut.disconnectReaders(runId)
      observation?.release(runId)
    },
    threads: threadServices.threads,
    history: threadServices.history,
    projector: threadServices.projector,
    agents: staff,
    ...findPlace(config, ports.cluster),
    mayStart: access.checkStart,
    notStarted: access.onNotStarted,
  })
  return { activeRuns, scrape: observation?.scrape, close: async () => observation?.close() }
}

function createEngines(models: Models, engines: ServerOptions['engines'] = []) {
  const factories = new Map<string, AgentEngine | EngineFactory>(
    [...coreEngines, ...engines].map((each) => [each.name, each]),
  )
  const created = new Map(
    Array.from(factories, ([name, each]) => [name, 'create' in each ? each.create(models) : each]),
  )
  return { factories, created }
}

type Services = Omit<AgentServices, 'settings'>

function createServices(
  config: Config,
  { cluster }: Pick<ServerOptions, 'cluster'>,
  { stores, log, threadServices, erasure, registry }: ServicePorts,
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
  })
}

type ServicePorts = {
  readonly stores: Stores
  readonly log: ProcessLog
  readonly threadServices: ThreadServices
  readonly erasure: ConversationErasure
  readonly registry: DeferredAgentServices
}

type ModulePorts = Pick<OpenParts, 'factories' | 'log' | 'models'> & {
  readonly services: Services
  readonly engines: readonly string[]
}

/** Creates and checks the agent modules, then applies `agents/<id>/agent.json` of the home. */
async function configureModules(
  config: Config,
  { factories, services, log, models, engines }: ModulePorts,
): Promise<readonly ConfiguredModule[]> {
  // An application's own models may have any name, so only configured models are checked.
  const names = { engines, ...(isConfigured(models) && { models }) }
  const modules = await checkAgents(await createModules(factories, services, config), names)
  return applyAgentFiles(modules, { ...names, home: config.home, env: config.env, warn: log.warn })
}
