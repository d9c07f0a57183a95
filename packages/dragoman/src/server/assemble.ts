import type { AgentEngine, AgentServices, EngineFactory } from '../agents/index.ts'
import type { Config } from '../config/config.ts'
import { defaultEngine } from '../engine/index.ts'
import { runLog, type RunLog, type Store } from '../log/index.ts'
import { isConfigured, type Models } from '../models/index.ts'
import { checkAgents, applyAgentFiles, type AgentFactory, type ConfiguredModule } from '../modules/index.ts'
import { observeRuns, type ProcessLog } from '../observability/index.ts'
import { runs } from '../runs/index.ts'
import { contextOf, remembering, talk as talkOf, type Talk } from '../threads/index.ts'
import { version } from '../version.ts'
import { agentRegistry, type AgentRegistry } from './agent-registry.ts'
import { createAgentServices } from './agent-services.ts'
import type { ServerOptions } from './server-options.ts'
import { delegating } from './delegate.ts'
import { usersOf } from './door.ts'
import { erasing, type Erasing } from './erasing.ts'
import { fanOut } from './fan-out/index.ts'
import type { Stores } from './open-stores.ts'
import type { ServerPlugin } from './plugin.ts'
import { recalling } from './recalling.ts'
import { createModules } from './resolve-modules.ts'
import { serving, type Serving } from './serving.ts'
import { staffForCallers, staffOf } from './staff.ts'

/** The server's own engine, by the names that an agent may give. `ai-sdk` is its earlier name. */
export const coreEngines: readonly EngineFactory[] = ['default', 'ai-sdk'].map((name) => ({
  name,
  create: defaultEngine,
}))

type Opened = {
  readonly factories: readonly AgentFactory[]
  readonly stores: Stores
  readonly log: ProcessLog
  readonly models: Models
}

/** Joins the parts of a server, each after those that it needs. */
export async function assemble(config: Config, options: ServerOptions, opened: Opened): Promise<Serving> {
  const { factories, stores, log, models } = opened
  const { store, db } = stores
  const plugins = options.plugins ?? []
  const engines = enginesOf(models, options.engines)
  const registry = agentRegistry(models)
  const talk = talkOf(db, store, { titles: config.titles, titleLength: registry.titleLength })
  const erase = erasing({ ...talk, db, store, forget: registry.forget })
  const services = servicesOf(config, { stores, log, talk, erase, registry })
  const modules = await modulesOf(config, {
    factories,
    services,
    log,
    models,
    engines: [...engines.created.keys()],
  })
  const staff = staffOf(modules, engines.created, models)
  const journal = runLog(store, stores.notifier)
  const readers = fanOut({ store, log: journal })
  const users = usersOf(config, { ...talk, db, store, modules, auth: options.auth })
  const { running, scrape, close } = await runsOf(config, {
    store,
    journal,
    log,
    plugins,
    talk,
    users,
    staff,
    readers,
  })
  registry.start({ modules, runs: running, delegate: delegating({ runs: running, log: journal, staff }) })
  return serving(config, {
    stores,
    log,
    models,
    plugins,
    protocols: [
      ...(options.protocols ?? []),
      ...[...plugins, ...modules].flatMap((each) => each.protocols ?? []),
    ],
    talk,
    users,
    modules,
    staff,
    staffFor: staffForCallers({
      staff,
      engines: engines.factories,
      models,
      outward: services.safeFetch,
      limits: config.limits,
    }),
    readers,
    running,
    erase,
    scrape,
    close,
  })
}

type RunPorts = {
  readonly store: Store
  readonly journal: RunLog
  readonly log: ProcessLog
  readonly plugins: readonly ServerPlugin[]
  readonly talk: Talk
  readonly users: ReturnType<typeof usersOf>
  readonly staff: ReturnType<typeof staffOf>
  readonly readers: ReturnType<typeof fanOut>
}

/** The runs, and what plug-ins observe of them. */
async function runsOf(config: Config, ports: RunPorts) {
  const { store, journal, log, talk, users, staff, readers } = ports
  const observers = ports.plugins.flatMap(({ observe }) => (observe ? [observe.bind(undefined, config)] : []))
  const observing = await observeRuns(observers, {
    log: journal,
    store,
    lines: log,
    version,
    readers: users.audience.count,
    waiting: talk.questions.runs,
  })
  const running = runs({
    store,
    log: observing?.log ?? journal,
    report: log.report,
    onFenced: log.runLost,
    limits: config.limits,
    answerWithin: config.answerWithin,
    ...(observing && { onAttempt: observing.follow }),
    onReleased(runId) {
      readers.cut(runId)
      observing?.release(runId)
    },
    threads: talk.threads,
    history: talk.history,
    projector: talk.projector,
    agents: staff,
    mayStart: users.mayStart,
    notStarted: users.notStarted,
  })
  return { running, scrape: observing?.scrape, close: async () => observing?.close() }
}

function enginesOf(models: Models, added: ServerOptions['engines'] = []) {
  const factories = new Map<string, AgentEngine | EngineFactory>(
    [...coreEngines, ...added].map((each) => [each.name, each]),
  )
  const created = new Map(
    Array.from(factories, ([name, each]) => [name, 'create' in each ? each.create(models) : each]),
  )
  return { factories, created }
}

type Services = Omit<AgentServices, 'settings'>

function servicesOf(config: Config, { stores, log, talk, erase, registry }: ServicePorts): Services {
  return createAgentServices(config, {
    database: stores.db,
    report: (error) => log.report(error, 'agent'),
    warn: log.warn,
    readThreadContext: contextOf(talk.threads),
    updateThreadContext: remembering(talk.threads),
    searchMessages: recalling(talk, stores.store),
    exportThreads: erase.exportThreads,
    deleteThreads: erase.deleteThreads,
    delegate: registry.delegate,
    delegates: registry.delegates,
    model: registry.model,
  })
}

type ServicePorts = {
  readonly stores: Stores
  readonly log: ProcessLog
  readonly talk: Talk
  readonly erase: Erasing
  readonly registry: AgentRegistry
}

type ModulePorts = Pick<Opened, 'factories' | 'log' | 'models'> & {
  readonly services: Services
  readonly engines: readonly string[]
}

/** The agents, checked, with what `agents/<id>/agent.json` of the home changes. */
async function modulesOf(
  config: Config,
  { factories, services, log, models, engines }: ModulePorts,
): Promise<readonly ConfiguredModule[]> {
  // The models of an application take any name.
  const known = { engines, ...(isConfigured(models) && { models }) }
  const modules = await checkAgents(await createModules(factories, services, config), known)
  return applyAgentFiles(modules, { ...known, home: config.home, env: config.env, warn: log.warn })
}
