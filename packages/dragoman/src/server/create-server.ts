import { join } from 'node:path'

import {
  modelSettings,
  type Agent,
  type AgentTools,
  type AgentEngine,
  type EngineFactory,
} from '../agents/index.ts'
import { createAgentServices } from './agent-services.ts'
import { readConfig, type Config } from '../config/config.ts'
import { delegating } from './delegate.ts'
import { usersOf } from './door.ts'
import { defaultEngine } from '../engine/index.ts'
import { erasing } from './erasing.ts'
import { runLog } from '../log/index.ts'
import { readHomeFile } from '../home-files/index.ts'
import { migrationsOf } from './migrations.ts'
import {
  createModels,
  isConfigured,
  modelsFileSchema,
  toolModel,
  type ConfiguredModels,
  type Models,
} from '../models/index.ts'
import { checkAgents, withAgentFiles, type AgentFactory, type AgentModule } from '../modules/index.ts'
import { observeRuns, processLog } from '../observability/index.ts'
import { openStores, type OwnStorage, type Stores } from './open-stores.ts'
import type { ServerPlugin } from './plugin.ts'
import type { Protocol } from '../protocols/index.ts'
import { recalling } from './recalling.ts'
import { createModules, factoriesOf } from './resolve-modules.ts'
import { runs } from '../runs/index.ts'
import { closeEach, serving } from './serving.ts'
import { agentOf, staffForCallers, staffOf, titleLengthIn } from './staff.ts'
import { contextOf, remembering, talk as talkOf, type Talk } from '../threads/index.ts'
import { fanOut } from './fan-out/index.ts'
import type { Authenticate, HttpServer } from './http/index.ts'
import { version } from '../version.ts'

/** The server's own engine, by the names that an agent may give. `ai-sdk` is its earlier name. */
export const coreEngines: readonly EngineFactory[] = ['default', 'ai-sdk'].map((name) => ({
  name,
  create: defaultEngine,
}))

/** A running server. */
export type Server = {
  /** Answers a request without a network. */
  readonly fetch: (request: Request) => Promise<Response>
  /**
   * Takes requests from the network and returns the server's URL.
   *
   * @throws ServiceError `unavailable` if the port is in use
   */
  listen(options?: { readonly port?: number }): Promise<string>
  /**
   * Serves Socket.IO at `/socket.io` on a server of the application's own. All other requests go to that server's own
   * listeners: let one of them answer with `fetch`.
   *
   * @throws ServiceError `invalid-request` without a plug-in for sockets
   *
   * @example
   * const app = express()
   * const httpServer = app.listen(3000)
   * server.attach(httpServer)
   */
  attach(server: HttpServer): void
  /** Ends runs and readers, and releases everything. */
  close(): Promise<void>
}

export type ServerOptions = OwnStorage & {
  /** Agents, agent modules, and factories of agent modules. */
  readonly agents: readonly (Agent<AgentTools> | AgentModule<AgentTools> | AgentFactory)[]
  /** Default: the settings of the environment and of `config.yaml` in the home. */
  readonly config?: Config
  /** Finds the model of each agent. Default: the providers of the environment and of `models.yaml`. */
  readonly models?: Models
  /** Engines in addition to the server's own. A factory also serves callers who bring their own model. */
  readonly engines?: readonly (AgentEngine | EngineFactory)[]
  /** Wire formats besides those of the server. */
  readonly protocols?: readonly Protocol[]
  /** Packages that add to the server: Socket.IO, telemetry. */
  readonly plugins?: readonly ServerPlugin[]
  /** Finds the user of each request, as by the application's own session. Default: the tokens of the home. */
  readonly auth?: Authenticate
}

/**
 * Opens a server.
 *
 * @throws ServiceError `invalid-request` for an agent that cannot work or a wrong setting: the sentence names it;
 * `unavailable` if the database cannot be opened
 *
 * @example
 * const server = await createServer({ agents: [dice] })
 * const url = await server.listen({ port: 3033 })
 */
export async function createServer(options: ServerOptions): Promise<Server> {
  const factories = factoriesOf(options.agents)
  const config = options.config ?? readConfig([], process.env, factories)
  const log = processLog(config.logLevel)
  const models = options.models ?? reportingModels(config, log)
  const opening = { agents: factories, migrations: migrationsOf(factories), warn: log.warn }
  const { close: closeStores, ...stores } = await openStores(config.home, opening, options)
  try {
    const server = await joined(config, { plugins: [], ...options, factories }, { ...stores, log, models })
    return {
      ...server,
      async close() {
        await server.close()
        await closeEach([closeStores], log.report)
        log.info({ home: config.home }, 'stopped')
      },
    }
  } catch (error) {
    await closeEach([closeStores], log.report)
    throw error
  }
}

/** The models that the environment and `models.yaml` configure. */
export function configuredModels(config: Config): ConfiguredModels {
  const file = readHomeFile(join(config.home, 'models.yaml'), modelsFileSchema, config.env)
  return createModels({ ...config, override: config.model, ...(file && { file }) })
}

type Log = ReturnType<typeof processLog>
type Opened = Omit<Stores, 'close'> & { readonly log: Log; readonly models: Models }
type Parts = Pick<ServerOptions, 'auth' | 'engines' | 'protocols'> & {
  readonly plugins: readonly ServerPlugin[]
  readonly factories: readonly AgentFactory[]
}

function enginesFor(models: Models, added: ServerOptions['engines'] = []) {
  const factories = new Map([...coreEngines, ...added].map((each) => [each.name, each]))
  const engines = new Map(
    Array.from(factories, ([name, each]) => [name, 'create' in each ? each.create(models) : each]),
  )
  return { factories, engines }
}

async function joined(config: Config, { plugins, ...parts }: Parts, opened: Opened): Promise<Server> {
  const { store, notifier, db, log, models } = opened
  const { factories, engines } = enginesFor(models, parts.engines)
  const known = { engines: [...engines.keys()], ...modelNames(models) }
  const talk = talkOf(db, store, { ...config, titleLength: (id) => titleLengthIn(modules, id) })
  const erase = erasing({ ...talk, db, store, forget: (id) => running.forget(id, 'user') })
  const services = createAgentServices(config, {
    database: db,
    report: (error) => log.report(error, 'agent'),
    warn: log.warn,
    ...remembered(talk, store),
    ...erase,
    delegate: (task) => delegate(task),
    delegates: () =>
      modules.flatMap(({ agent, delegation }) => (delegation ? [{ id: agent.id, ...delegation }] : [])),
    model: (id) => toolModel(() => models.choose(modelSettings(agentOf(modules, id).model))),
  })
  const ours = await createModules(parts.factories, services, config)
  const checked = await checkAgents(ours, known)
  const modules = withAgentFiles(checked, { ...config, ...known, warn: log.warn })
  const staff = staffOf(modules, engines, models)
  const staffFor = staffForCallers({ ...config, ...services, engines: factories, staff, models })
  const journal = runLog(store, notifier)
  const readers = fanOut({ store, log: journal })
  const users = usersOf(config, { ...talk, db, store, modules, auth: parts.auth })
  const observers = plugins.flatMap(({ observe }) => (observe ? [observe.bind(undefined, config)] : []))
  const told = await observeRuns(observers, {
    ...counted(users, talk),
    log: journal,
    store,
    lines: log,
    version,
  })
  const letGo = (runId: string): void => {
    readers.cut(runId)
    told?.letGo(runId)
  }
  const running = runs({ ...config, ...talk, ...users, ...log, store, log: journal, ...told, staff, letGo })
  const delegate = delegating({ runs: running, log: journal, staff })
  const scrape = told?.scrape
  const close = async (): Promise<void> => told?.close()
  return serving(config, {
    ...opened,
    plugins,
    protocols: [
      ...(parts.protocols ?? []),
      ...[...plugins, ...modules].flatMap(({ protocols = [] }) => protocols),
    ],
    talk,
    users,
    modules,
    staff,
    staffFor,
    readers,
    running,
    erase,
    scrape,
    close,
  })
}

/** The models whose names are known. Those that stand in for the configured ones take any name. */
function modelNames(models: Models): { models?: ConfiguredModels } {
  return isConfigured(models) ? { models } : {}
}

/** What agents may know of earlier threads. */
function remembered(talk: Talk, store: Opened['store']) {
  const { threads } = talk
  return {
    contextOf: contextOf(threads),
    remember: remembering(threads),
    search: recalling(talk, store),
  }
}

/** What operators are told beside runs. */
function counted({ audience }: ReturnType<typeof usersOf>, { questions }: Talk) {
  return { readers: audience.count, waiting: questions.runs }
}

function reportingModels(config: Config, { warn }: Log): Models {
  const models = configuredModels(config)
  for (const warning of models.warnings) warn(warning)
  return models
}
