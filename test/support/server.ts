import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import {
  createServer,
  readConfig,
  type Config,
  type Agent,
  type AgentFactory,
  type AgentModule,
  type AgentTools,
  type Authenticate,
  type Json,
  type Server,
  type Models,
  type ServerPlugin,
} from '../../packages/dragoman/src/index.ts'
import type { Tokens } from '../../packages/dragoman/src/access/users/index.ts'
import { collectMigrations } from '../../packages/dragoman/src/server/index.ts'
import { isOnPostgres, openTestStorage } from '../../packages/dragoman/src/testing/test-storage.fixture.ts'
import { agUi } from '../../packages/ag-ui/src/index.ts'
import { piEngine } from '../../packages/pi/src/index.ts'
import { socketIo } from '../../packages/socket-io/src/index.ts'
import { telemetry } from '../../packages/telemetry/src/index.ts'
import { dropHomeDatabase, openHomeStorage } from './home-storage.ts'
import { tokensIn, withTokensInFile } from './users.ts'

export type ServerOptions = {
  /** Default: the agent's own model. */
  readonly models?: Models
  readonly tools?: AgentTools
  readonly agent?: Partial<Agent>
  /** What else the test's own capability does. */
  readonly capability?: Partial<AgentModule<AgentTools>>
  /** They take the place of the test's own agent. */
  readonly agents?: readonly AgentFactory[]
  /** Further words of its command line, and variables. */
  readonly flags?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Its `config.yaml`. */
  readonly configFile?: Json
  /** Limits of its configuration. */
  readonly limits?: Partial<Config['limits']>
  /** Plug-ins besides AG-UI, Socket.IO and telemetry. */
  readonly plugins?: readonly ServerPlugin[]
  /** Finds its callers in place of tokens. */
  readonly auth?: Authenticate
  /** Users for whom there is a token when it begins. */
  readonly users?: readonly string[]
  /** The caller removes it. By default the server has a temporary folder and keeps its data in memory. */
  readonly home?: string
  /** Keeps its data for the home although the home is new: for tests that read it or open it again. */
  readonly isOnDisk?: boolean
  /** Also where tests run on PostgreSQL: for tests of SQLite's own files. */
  readonly needsSqlite?: boolean
}

export type TestServer = AsyncDisposable & {
  readonly url: string
  readonly home: string
  /** The token of one of its `users`. */
  readonly token: (user: string) => string
  /** Answers without the network. */
  readonly fetch: Server['fetch']
}

/** A home need not exist before. */
async function writeConfig(home: string, config: Json): Promise<void> {
  await mkdir(home, { recursive: true })
  await writeFile(join(home, 'config.yaml'), JSON.stringify(config))
}

/** The real server on a free port, with one agent: its chat is at `/jobs/chat`. */
export async function openServer(options: ServerOptions): Promise<TestServer> {
  const {
    models,
    tools = [],
    agent,
    capability: more,
    home,
    needsSqlite = false,
    isOnDisk = home !== undefined,
    agents = [{ agent: { ...testAgent, tools, ...agent }, ...more }],
    flags = [],
    env = {},
    configFile,
    limits = {},
    users = [],
    plugins = [],
  } = options
  const folder = home ?? (await mkdtemp(join(tmpdir(), 'dragoman-test-')))
  const storage = await openStorage(folder, { isOnDisk, needsSqlite, agents: options.agents })
  const secrets = new Map<string, string>()
  const createSecrets = async (all: Tokens): Promise<void> => {
    for (const user of users) secrets.set(user, (await all.create({ name: user, userId: user })).secret)
  }
  if (users.length > 0)
    await (storage
      ? createSecrets(await tokensIn(storage.database))
      : withTokensInFile(folder, createSecrets))
  if (configFile) await writeConfig(folder, configFile)
  const words = ['--port', '0', '--home', folder, '--log-level', 'silent', ...flags]
  const read = readConfig(words, env, options.agents)
  const config = { ...read, limits: { ...read.limits, ...limits } }
  const dragoman = await createServer({
    engines: [piEngine()],
    plugins: [agUi(), socketIo(), telemetry(), ...plugins],
    ...storage,
    agents,
    config,
    ...(models && { models }),
    ...(options.auth && { auth: options.auth }),
  })
  const closeAll = async (): Promise<void> => {
    await dragoman.close()
    await storage?.close()
    if (home === undefined)
      await Promise.all([rm(folder, { recursive: true, force: true }), dropHomeDatabase(folder)])
  }
  let closed: Promise<void> | undefined
  const close = (): Promise<void> => (closed ??= closeAll())
  const url = await dragoman.listen().catch(async (error: unknown) => {
    await close()
    throw error
  })
  return {
    url,
    home: folder,
    token: (user) => secrets.get(user) ?? '',
    fetch: dragoman.fetch,
    [Symbol.asyncDispose]: close,
  }
}

/** Undefined where the server opens the file of its home. */
async function openStorage(home: string, { isOnDisk, needsSqlite, agents = [] }: StorageOptions) {
  if (needsSqlite) return undefined
  if (!isOnDisk) return openTestStorage(collectMigrations(agents))
  return isOnPostgres ? openHomeStorage(home) : undefined
}

type StorageOptions = Readonly<Record<'isOnDisk' | 'needsSqlite', boolean>> & {
  readonly agents: readonly AgentFactory[] | undefined
}

const testAgent: Agent = {
  id: 'jobs',
  name: 'Test Agent',
  description: 'Does what its script says',
  instructions: 'You follow a script.',
  engine: 'default',
  maxSteps: 10,
  tools: [],
}
