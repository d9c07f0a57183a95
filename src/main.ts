import { join } from 'node:path'

import { withAgentFiles } from './agent-files.ts'
import type { Capability, Machine } from './agent/index.ts'
import type { Config } from './config.ts'
import { databaseFile, migrate, openDatabase, unusable, type Database } from './db/index.ts'
import { delegating } from './delegate.ts'
import { usersOf } from './door.ts'
import { aiSdkEngine, piEngine, type AgentEngine } from './engines/index.ts'
import { expiryMigrations } from './expiry.ts'
import { runLog, upkeep } from './log/index.ts'
import { readHomeFile } from './home-files/index.ts'
import { machineOf } from './machine.ts'
import { createModels, modelsFileSchema, type ConfiguredModels, type Models } from './models/index.ts'
import { naming } from './naming.ts'
import { usageMigrations } from './quota/index.ts'
import { recalling } from './recalling.ts'
import { runs } from './runs/index.ts'
import { dialects, mount, socketsOf } from './mount.ts'
import { agentOf, modelsOf, staffForCallers, staffOf, titleLengthIn } from './staff.ts'
import { openSqlite } from './stores/sqlite/index.ts'
import { replies } from './surfaces/index.ts'
import { processLog, telemetry } from './telemetry/index.ts'
import { contextOf, remembering, talk as talkOf, threadMigrations, type Talk } from './threads/index.ts'
import { callers, fanOut, httpApp, listen, type Listening } from './transports/index.ts'
import { userMigrations } from './users/index.ts'
import { version } from './version.ts'

/** Loaded while the log's thread starts: a server is ready sooner so. */
const jobsModule = () => import('./capabilities/jobs/index.ts')
const codingModule = () => import('./capabilities/coding/index.ts')
const assistantModule = () => import('./capabilities/assistant/index.ts')
const lifeModule = () => import('./capabilities/life/index.ts')
const workflowsModule = () => import('./capabilities/workflows/index.ts')

/** What comes with us. */
export const builtIn = {
  engines: { pi: piEngine, 'ai-sdk': aiSdkEngine },
  capabilities: async (db: Database, machine: Machine): Promise<readonly Capability[]> => [
    (await jobsModule()).jobs(db, machine),
    (await codingModule()).coding(machine),
    (await assistantModule()).assistant(machine),
    (await lifeModule()).life(db, machine),
    ...(await workflowsModule()).workflows(machine),
  ],
  migrations: async () => [
    ...userMigrations,
    ...threadMigrations,
    ...usageMigrations,
    ...(await jobsModule()).jobsMigrations,
    ...(await lifeModule()).lifeMigrations,
    ...expiryMigrations,
  ],
  models: (config: Config): ConfiguredModels => {
    const file = readHomeFile(join(config.home, 'models.yaml'), modelsFileSchema, config.env)
    return createModels({ ...config, override: config.model, ...(file && { file }) })
  },
}

export type Dragoman = {
  /** Answers a request as the server would. */
  readonly fetch: (request: Request) => Promise<Response>
  /** Takes requests from the network. Gives the address. @throws ServiceError `unavailable` where the port is taken */
  listen(): Promise<string>
  /** Ends runs and readers, and lets go of everything. */
  close(): Promise<void>
}

/** What may be put in place of ours, by those who build their own. */
export type Parts = {
  readonly models?: Models
  readonly capabilities?: (db: Database, machine: Machine) => readonly Capability[]
  /** Beside ours: an agent names the one that drives it. */
  readonly engines?: readonly AgentEngine[]
}

/** The one place where things are chosen and joined. @throws ServiceError for what is configured wrongly */
export async function openDragoman(config: Config, parts: Parts = {}): Promise<Dragoman> {
  const log = processLog(config.logLevel)
  const models = parts.models ?? configuredModels(config, log)
  const stores = await openStores(config.home)
  try {
    return await joined(config, parts, { ...stores, log, models })
  } catch (error) {
    await Promise.all([stores.db.destroy(), stores.store[Symbol.asyncDispose]()])
    throw error
  }
}

type Log = ReturnType<typeof processLog>
type Opened = Awaited<ReturnType<typeof openStores>> & { readonly log: Log; readonly models: Models }

async function joined(config: Config, parts: Parts, opened: Opened): Promise<Dragoman> {
  const { store, notifier, db, log, models } = opened
  const made = Object.values(builtIn.engines).map((create) => create(models))
  const engines = new Map([...made, ...(parts.engines ?? [])].map((engine) => [engine.name, engine]))
  const inFiles = { ...config, engines: [...engines.keys()], warn: log.warn }
  const talk = talkOf(db, store, { ...config, titleLength: (id) => titleLengthIn(capabilities, id) })
  const machine = machineOf(config, {
    models,
    report: log.report,
    agents: (id) => agentOf(capabilities, id),
    contextOf: contextOf(talk.threads),
    remember: remembering(talk.threads),
    delegate: (task) => delegate(task),
    search: recalling(talk, store),
  })
  const ours = await (parts.capabilities ?? builtIn.capabilities)(db, machine)
  const capabilities = withAgentFiles(ours, inFiles)
  const staff = staffOf(capabilities, engines, models)
  const staffFor = staffForCallers({ ...machine, ...builtIn, staff, models })
  const journal = runLog(store, notifier)
  const readers = fanOut({ store, log: journal })
  const users = usersOf(config, { ...talk, db, store, capabilities })
  const told = await telemetry(config, { ...counted(users, talk), log: journal, store, lines: log, version })
  const letGo = (runId: string): void => {
    readers.cut(runId)
    told?.letGo(runId)
  }
  const running = runs({ ...config, ...talk, ...users, ...log, store, log: journal, ...told, staff, letGo })
  const delegate = delegating({ runs: running, log: journal, staff })
  const closing = new AbortController()
  const passes = passesOf(config, { ...opened, talk, users, capabilities, staff }, closing.signal)

  const app = httpApp({ ...users.admission, ...log, origins: config.origins })
  const answers = replies({ ...talk, runs: running, readers, audience: users.audience })
  const shared = { ...talk, dialects, runs: running, replies: answers }
  const ready = async (): Promise<void> => void (await store.changed(Number.MAX_SAFE_INTEGER, 1))
  const callerOf = callers(users.admission)
  mount(app, capabilities, { ...shared, ...users, callerOf, scrape: told?.scrape, ready, models, staffFor })
  const sockets = socketsOf(capabilities, { ...shared, ...users, ...log, ...config, readers, callerOf })

  await running.looked
  let listening: Listening | undefined
  return {
    fetch: async (request) => app.fetch(request),
    async listen() {
      await Promise.all([users.someCanCall(), warnOfRoots(config, log)])
      listening = await listen(app.fetch, { ...config, sockets })
      log.info({ url: listening.url, home: config.home, model: modelsOf(capabilities, models) }, 'listening')
      return listening.url
    },
    async close() {
      const closed = listening?.close()
      closing.abort()
      const stores = [() => db.destroy(), () => store[Symbol.asyncDispose]()]
      const telling = async (): Promise<void> => told?.close()
      await endEach([running.close, () => closed, () => Promise.all(passes), telling, ...stores], log.report)
      log.info({ home: config.home }, 'stopped')
    },
  }
}

/** What operators are told beside runs. */
function counted({ audience }: ReturnType<typeof usersOf>, { questions }: Talk) {
  return { readers: audience.count, waiting: questions.runs }
}

type Passing = Opened & {
  readonly talk: Talk
  readonly users: ReturnType<typeof usersOf>
  readonly capabilities: readonly Capability[]
  readonly staff: ReturnType<typeof staffOf>
}

/** What is done beside all requests, until the server closes. */
function passesOf(
  config: Config,
  { store, db, models, log: { report }, talk, users, capabilities, staff }: Passing,
  signal: AbortSignal,
): Promise<void>[] {
  return [
    talk.projector.keepUp(signal, (error) => report(error, 'projector')),
    users.quotas.keepUp(signal, (error) => report(error, 'usage')),
    users.keepWatch(signal, (error) => report(error, 'tokens')),
    users.forgetGuests(signal, (error) => report(error, 'guests')),
    upkeep({ store, ...config, projected: talk.projector.catchUp, report }, signal),
    ...capabilities.flatMap(
      ({ agent, background }) => background?.(signal, (error) => report(error, agent.id)) ?? [],
    ),
    naming({ ...config, db, models, staff }, signal, (error) => report(error, 'titles')),
  ]
}

/** One after the other, whatever the one before says. */
async function endEach(ends: readonly (() => unknown)[], report: Log['report']): Promise<void> {
  for (const end of ends) {
    await Promise.resolve(end()).catch((error: unknown) => report(error, 'closing'))
  }
}

function configuredModels(config: Config, { warn }: Log): Models {
  const models = builtIn.models(config)
  for (const warning of models.warnings) warn(warning)
  return models
}

/** A folder that is not there may be a slip of the pen, or a disk that comes later. */
async function warnOfRoots({ roots }: Config, { warn }: Log): Promise<void> {
  if (roots.length === 0) return
  const { workspaces } = await import('./capabilities/coding/workspace/workspaces.ts')
  const { notes } = await workspaces(roots).condition()
  for (const note of notes) warn(note)
}

/** One file, two connections: the log's on a thread of its own, and one for all other rows. @throws ServiceError `unavailable` */
async function openStores(folder: string) {
  let opened: ReturnType<typeof openSqlite> | undefined
  let db: Database | undefined
  try {
    const file = await databaseFile(folder)
    opened = openSqlite(file)
    const [migrations] = await Promise.all([builtIn.migrations(), opened.store.changed(0, 1)])
    db = openDatabase(file)
    await migrate(db, migrations)
    return { ...opened, db }
  } catch (cause) {
    await db?.destroy()
    await opened?.store[Symbol.asyncDispose]()
    throw unusable(folder, cause)
  }
}
