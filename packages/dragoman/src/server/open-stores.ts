import {
  createDatabaseFile,
  migrate,
  findMissingWal,
  openDatabase,
  createDatabaseFileCheck,
  refuseNewerDatabase,
  unusableDatabaseError,
  type Database,
  type Migration,
} from '../database/index.ts'
import { singleNode, type Cluster } from '../cluster/index.ts'
import { ServiceError } from '../errors.ts'
import { pause, type Notifier, type Store } from '../log/index.ts'
import { openSqlite } from '../stores/sqlite/index.ts'

const CHECK_INTERVAL_MS = 10_000

type OpenStoresOptions = {
  readonly migrations: readonly Migration[]
  /** The server's agents. Tables of other agents are left alone. */
  readonly agents: readonly { readonly id: string; readonly preload?: () => Promise<unknown> }[]
  readonly warn: (problem: string) => void
}

/** Storage that the application opens and closes itself. */
export type ApplicationStorage = {
  readonly store?: Store | undefined
  readonly notifier?: Notifier | undefined
  readonly database?: Database | undefined
  /** Default: the server is the only node. */
  readonly cluster?: Cluster | undefined
}

export type Stores = {
  readonly store: Store
  readonly notifier: Notifier
  readonly db: Database
  readonly cluster: Cluster
  /** Rejects if the database's files are gone. */
  readonly check: () => Promise<void>
  /** Rejects while the server cannot read its database. */
  readonly ready: () => Promise<void>
  /** Closes what `openStores` opened. */
  readonly close: () => Promise<void>
}

/**
 * Opens the storage of a server: the application's, or SQLite in the home.
 * @throws ServiceError `unavailable`, and `invalid-request` for an incomplete set of stores
 */
export async function openStores(
  home: string,
  options: OpenStoresOptions,
  storage: ApplicationStorage = {},
): Promise<Stores> {
  const { store, notifier, database: db, cluster = singleNode() } = storage
  if (!store && !notifier && !db) return openHomeDatabase(home, options)
  if (!store || !notifier || !db)
    throw new ServiceError(
      'invalid-request',
      'createServer: store, notifier and database belong together. Give all three, or none.',
    )
  await loadAgents(options.agents)
  await migrate(db, options.migrations)
  return {
    store,
    notifier,
    db,
    cluster,
    ready: store.ping,
    check: async () => undefined,
    close: async () => undefined,
  }
}

/** Opens the database while the agents' modules load. Only an error of the database is reported as one. */
async function openHomeDatabase(home: string, options: OpenStoresOptions): Promise<Stores> {
  const loading = loadAgents(options.agents)
  // The error is handled below: the database may fail first.
  loading.catch(() => undefined)
  const stores = await openDatabases(home, options)
  try {
    await loading
    return stores
  } catch (error) {
    await stores.close()
    throw error
  }
}

async function loadAgents(agents: OpenStoresOptions['agents']): Promise<void> {
  await Promise.all(agents.map(async ({ preload }) => preload?.()))
}

/** One file with two connections: the log's on its own thread, and one for all other rows. */
async function openDatabases(home: string, { migrations, agents, warn }: OpenStoresOptions): Promise<Stores> {
  let opened: ReturnType<typeof openSqlite> | undefined
  let db: Database | undefined
  const close = async (): Promise<void> => {
    await db?.destroy()
    await opened?.store[Symbol.asyncDispose]()
  }
  try {
    const file = await createDatabaseFile(home)
    const problem = await findMissingWal(file)
    refuseNewerDatabase(file, migrations, agents)
    if (problem !== undefined) warn(problem)
    opened = openSqlite(file)
    const { store, notifier } = opened
    await store.ping()
    db = openDatabase(file)
    await migrate(db, migrations)
    const { check } = await createDatabaseFileCheck(file)
    const ready = async (): Promise<void> => {
      await check()
      await store.ping()
    }
    return { store, notifier, db, cluster: singleNode(), check, ready, close }
  } catch (cause) {
    await close()
    throw unusableDatabaseError(home, cause)
  }
}

/** Reports once that the database's files are gone, until `signal` aborts. */
export async function watchFiles(
  { check }: Pick<Stores, 'check'>,
  signal: AbortSignal,
  report: (error: unknown) => void,
): Promise<void> {
  let isHealthy = true
  for (; !signal.aborted; await pause(CHECK_INTERVAL_MS, signal)) {
    const error = await check().catch((cause: unknown) => cause)
    if (error !== undefined && isHealthy) report(error)
    isHealthy = error === undefined
  }
}
