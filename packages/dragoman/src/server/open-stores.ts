import { statfs } from 'node:fs/promises'

import {
  checkWal,
  createDatabaseFile,
  databasePath,
  migrate,
  findMissingWal,
  openDatabaseFile,
  refuseNewerDatabase,
  findNewerTables,
  tableVersion,
  unusableDatabaseError,
  type Database,
  type Migration,
} from '../database/index.ts'
import { singleNode, type Cluster } from '../cluster/index.ts'
import { ServiceError } from '../errors.ts'
import {
  createUserChanges,
  LEASE_MS,
  pause,
  type Notifier,
  type Store,
  type UserChanges,
} from '../log/index.ts'
import type { AgentFactory } from '../modules/index.ts'
import { memoryNotifier } from '../stores/memory/index.ts'
import { openSqlite } from '../stores/sqlite/index.ts'

const CHECK_INTERVAL_MS = 10_000
/** The write-ahead log may grow by so much between two checks. */
const MIN_FREE_BYTES = 16 * 1024 ** 2

type OpenStoresOptions = {
  readonly migrations: readonly Migration[]
  /** The server's agents. Tables of other agents are left alone. */
  readonly agents: readonly Pick<AgentFactory, 'id' | 'migrations' | 'preload'>[]
  /** Whether to open a database although its write-ahead log is damaged. */
  readonly acceptLoss: boolean
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
  readonly changes: UserChanges
  readonly db: Database
  readonly cluster: Cluster
  /** Reads of logs that have met a damaged entry, where the storage can tell. */
  readonly damagedReads: () => number
  /** Rejects if nothing can be written as the database's files are gone. */
  readonly check: () => Promise<void>
  /** The error of a database whose tables a newer version has changed meanwhile. */
  readonly findNewer: () => Promise<ServiceError | undefined>
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
  const version = tableVersion(options.migrations, options.agents)
  const newer = await findNewerTables(db, version)
  if (newer) throw newer
  await migrate(db, options.migrations)
  return {
    store,
    notifier,
    changes: createUserChanges(notifier),
    db,
    cluster,
    damagedReads: () => 0,
    ready: store.ping,
    check: async () => undefined,
    findNewer: () => findNewerTables(db, version),
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
async function openDatabases(
  home: string,
  { migrations, agents, acceptLoss, warn }: OpenStoresOptions,
): Promise<Stores> {
  let opened: ReturnType<typeof openSqlite> | undefined
  let db: Database | undefined
  const close = async (): Promise<void> => {
    await db?.destroy()
    await opened?.store[Symbol.asyncDispose]()
  }
  try {
    const file = databasePath(home)
    const problem = await findMissingWal(file)
    await checkWal(file, { acceptLoss, warn })
    await createDatabaseFile(home)
    const version = tableVersion(migrations, agents)
    refuseNewerDatabase(file, version)
    if (problem !== undefined) warn(problem)
    opened = openSqlite(file)
    const { store, notifier, damagedReads, checkSizeSoon } = opened
    await store.ping()
    const { requireFiles, ...files } = openDatabaseFile(file, checkSizeSoon)
    db = files.db
    await migrate(db, migrations)
    const check = async (): Promise<void> => requireFiles(0)
    const ready = async (): Promise<void> => {
      requireFiles(0)
      await requireSpace(home)
      await store.ping()
    }
    const findNewer = findNewerTables.bind(undefined, db, version)
    return {
      store,
      notifier,
      // Not by the file: the log's thread would have to watch it for as long as a client listens.
      changes: createUserChanges(memoryNotifier()),
      db,
      cluster: singleNode(),
      damagedReads,
      check,
      findNewer,
      ready,
      close,
    }
  } catch (cause) {
    await close()
    throw unusableDatabaseError(home, cause)
  }
}

/** @throws ServiceError `unavailable` if a commit may fail at any moment */
async function requireSpace(home: string): Promise<void> {
  const { bavail, bsize } = await statfs(home)
  if (bavail * bsize < MIN_FREE_BYTES)
    throw new ServiceError(
      'unavailable',
      'The disk of the database is full. Nothing can be stored until space is freed.',
    )
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

/**
 * Looks as often as a process reports that it is alive whether a newer version has changed the tables, until `signal`
 * aborts. Then `stop` is called once: what this server would write could be wrong.
 */
export async function watchTables(
  { findNewer }: Pick<Stores, 'findNewer'>,
  signal: AbortSignal,
  stop: (error: ServiceError) => void,
): Promise<void> {
  for (; !signal.aborted; await pause(LEASE_MS / 3, signal)) {
    // A database that is away says nothing about its tables.
    const error = await findNewer().catch(() => undefined)
    if (error) return stop(error)
  }
}
