import type { AgentEngine, AgentServices, EngineFactory } from '../agents/index.ts'
import type { Cluster } from '../cluster/index.ts'
import type { Config } from '../config/config.ts'
import { defaultEngine } from '../engine/index.ts'
import { runLog, type RunLog } from '../log/index.ts'
import { isConfigured, type Models } from '../models/index.ts'
import {
  checkAgents,
  applyAgentFiles,
  guardHooks,
  type AgentFactory,
  type ConfiguredModule,
} from '../modules/index.ts'
import { observeRuns, type ProcessLog } from '../observability/index.ts'
import { runs, type RunsOptions } from '../runs/index.ts'
import { createContextReader, createContextUpdater, type ThreadServices } from '../threads/index.ts'
import { version } from '../version.ts'
import { createDeferredAgentServices, type DeferredAgentServices } from './deferred-agent-services.ts'
import { createAgentServices } from './agent-services.ts'
import type { ServerOptions } from './server-options.ts'
import { createDelegate } from './delegate.ts'
import { createAccess } from './create-access.ts'
import { createRunLoad } from './create-run-load.ts'
import type { ConversationErasure } from './conversation-erasure.ts'
import { createFanOut } from './fan-out/index.ts'
import type { Stores } from './open-stores.ts'
import type { ServerPlugin } from './server-plugin.ts'
import { createConversationSearch } from './conversation-search.ts'
import { createConversations } from './create-conversations.ts'
import type { UserStorage } from './user-storage.ts'
import type { ModelAccess } from './model-access.ts'
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
  const plugins = options.plugins ?? []
  const engines = createEngines(models, options.engines)
  const registry = createDeferredAgentServices(models)
  const conversations = createConversations(config, { stores, registry })
  const { threadServices, erasure, guestAccess, userStorage } = conversations
  const services = createServices(config, options, { ...conversations, stores, log, registry })
  const names = [...engines.created.keys()]
  const modules = await configureModules(config, { factories, services, log, models, engines: names })
  const eventLog = runLog(stores.store, stores.notifier)
  const fanOut = createFanOut({ store: stores.store, log: eventLog })
  const admission = { models, modules, auth: options.auth, guestAccess, userStorage }
  const access = createAccess(config, { ...threadServices, ...stores, ...admission })
  const resolvedAgents = resolveAgents(modules, engines.created, models, access.modelAccess)
  const { activeRuns, scrape, close } = await startRuns(config, {
    stores,
    cluster: options.cluster,
    eventLog,
    log,
    plugins,
    threadServices,
    access,
    mayStore: userStorage.mayStore,
    staff: resolvedAgents,
    fanOut,
  })
  const delegate = createDelegate({ runs: activeRuns, log: eventLog, staff: resolvedAgents })
  registry.start({ modules, access, runs: activeRuns, delegate })
  const added = [...plugins, ...modules].flatMap(({ protocols = [] }) => protocols)
  return startServer(config, {
    stores,
    log,
    models,
    plugins,
    protocols: [...added, ...(options.protocols ?? [])],
    threadServices,
    access,
    modules,
    staff: resolvedAgents,
    resolveForCaller: createCallerResolver({
      staff: resolvedAgents,
      engines: engines.factories,
      models,
      access: access.modelAccess,
      outward: services.safeFetch,
      answers: { limits: config.limits, warn: log.warn },
    }),
    fanOut,
    activeRuns,
    erasure,
    storageMeter: userStorage.createMeter(modules, threadServices.recount),
    scrape,
    close,
  })
}

type RunPorts = {
  readonly stores: Pick<Stores, 'store' | 'damagedReads'>
  readonly cluster: Cluster | undefined
  readonly eventLog: RunLog
  readonly log: ProcessLog
  readonly plugins: readonly ServerPlugin[]
  readonly threadServices: ThreadServices
  readonly access: ReturnType<typeof createAccess>
  readonly mayStore: UserStorage['mayStore']
  readonly staff: ReturnType<typeof resolveAgents>
  readonly fanOut: ReturnType<typeof createFanOut>
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
    load: access.load.totals,
    cluster: ports.cluster,
    waiting: threadServices.questions.runs,
    damagedReads,
  })
  const activeRuns = runs({
    store,
    log: observation?.log ?? eventLog,
    report: log.report,
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
    ...findPlace(config, ports.cluster),
    mayStart: access.checkStart,
    mayStore: ports.mayStore,
    notStarted: access.onNotStarted,
    beforeRemoval: access.quotas.catchUp,
  })
  return { activeRuns, scrape: observation?.scrape, close: async () => observation?.close() }
}

/** An agent's own settings stay as they are where nothing else is said. */
function modelForRun({ settingsFor }: ModelAccess): RunsOptions['modelFor'] {
  return (agent, userId, model) => {
    const settings = settingsFor(agent, userId, model)
    return model === undefined && !settings.filter ? agent.model : settings
  }
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
  const guarded = modules.map((module) => guardHooks(module, log.report))
  return applyAgentFiles(guarded, { ...names, home: config.home, env: config.env, warn: log.warn })
}
