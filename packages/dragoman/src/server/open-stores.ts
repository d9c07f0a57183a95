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
}

export type Stores = {
  readonly store: Store
  readonly notifier: Notifier
  readonly db: Database
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
  const { store, notifier, database: db } = storage
  if (!store && !notifier && !db) return openHomeDatabase(home, options)
  if (!store || !notifier || !db)
    throw new ServiceError(
      'invalid-request',
      'createServer: store, notifier and database belong together. Give all three, or none.',
    )
  for (const { preload } of options.agents) await preload?.()
  await migrate(db, options.migrations)
  const ready = async (): Promise<void> => void (await store.changed(Number.MAX_SAFE_INTEGER, 1))
  return { store, notifier, db, ready, check: async () => undefined, close: async () => undefined }
}

/** One file with two connections: the log's on its own thread, and one for all other rows. */
async function openHomeDatabase(
  home: string,
  { migrations: known, agents, warn }: OpenStoresOptions,
): Promise<Stores> {
  let opened: ReturnType<typeof openSqlite> | undefined
  let db: Database | undefined
  const close = async (): Promise<void> => {
    await db?.destroy()
    await opened?.store[Symbol.asyncDispose]()
  }
  try {
    const file = await createDatabaseFile(home)
    const problem = await findMissingWal(file)
    refuseNewerDatabase(file, known, agents)
    if (problem !== undefined) warn(problem)
    opened = openSqlite(file)
    await Promise.all([opened.store.changed(0, 1), ...agents.map(({ preload }) => preload?.())])
    db = openDatabase(file)
    await migrate(db, known)
    const { store } = opened
    const files = await createDatabaseFileCheck(file)
    const ready = async (): Promise<void> => {
      await files.check()
      await store.changed(Number.MAX_SAFE_INTEGER, 1)
    }
    return { store, notifier: opened.notifier, db, check: files.check, ready, close }
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
