import type { Cluster } from 'dragoman/cluster'
import { findNewerTables, migrate, tableVersion, type Database } from 'dragoman/database'
import { collectMigrations } from 'dragoman/server'
import type { Notifier, Store } from 'dragoman/stores'

import { createCluster } from './cluster.ts'
import { createPool, endPool, type DatabaseSource } from './client/pool.ts'
import { openSession } from './client/session.ts'
import { createPostgresNotifier } from './notifier.ts'
import { checkSettings } from './check-settings.ts'
import { refusePooler } from './refuse-pooler.ts'
import { openRows } from './rows/open-rows.ts'
import { createPostgresStore } from './store/postgres-store.ts'
import { renumberChanges } from './store/renumber-changes.ts'
import { logMigrations } from './store/schema.ts'
import { createSql } from './store/sql.ts'

export { examineDatabase, type DatabaseReport } from './examine-database.ts'
export { openNotifier, type NotifierOptions } from './bus/open-notifier.ts'
export type { DatabaseSource } from './client/pool.ts'

/** With the session and the sender of notifications a node uses nine connections. */
const LOG_CONNECTIONS = 3
const ROW_CONNECTIONS = 4

/** The tables that are written here: the log's, and rows of the server that belong to it. */
const CORE = tableVersion(collectMigrations([]), [])
const VERSION = {
  migrations: [...CORE.migrations, ...logMigrations],
  prefixes: [...CORE.prefixes, 'postgres-log'],
}

/** The storage of a server in PostgreSQL. `close` closes all its connections. */
export type PostgresStorage = {
  readonly store: Store
  readonly notifier: Notifier
  readonly database: Database
  readonly cluster: Cluster
  readonly close: () => Promise<void>
}

/**
 * Opens the storage of one node. All nodes with the same URL are one server. The URL must not lead through a pooler in
 * transaction mode. Where its password changes, give a function: each new connection asks it for the URL.
 * @throws ServiceError `invalid-request` if the database's settings are unsafe, `unavailable` if a newer version has
 * changed its tables, and the error of the first connection
 *
 * @example
 * const storage = await openPostgres('postgres://dragoman@127.0.0.1/dragoman')
 * const server = await createServer({ ...storage, agents: [dice] })
 */
export async function openPostgres(source: DatabaseSource): Promise<PostgresStorage> {
  const session = await openSession(source)
  const log = createPool(source, LOG_CONNECTIONS)
  const notifications = createPool(source, 1)
  const rows = createPool(source, ROW_CONNECTIONS)
  const closeConnections = async (): Promise<void> => {
    await session[Symbol.asyncDispose]()
    await Promise.all([log, notifications, rows].map(endPool))
  }
  try {
    await checkSettings((text) => session.query(text))
    await refusePooler(session, rows)
    const sql = createSql(log)
    const database = openRows(rows)
    const newer = await findNewerTables(database, VERSION)
    if (newer) throw newer
    await migrate(database, logMigrations)
    // Not on a connection of the log: the store watches those from the first on.
    await renumberChanges(createSql(rows), source)
    const store = await createPostgresStore(sql, log, session)
    const notifier = await createPostgresNotifier(notifications, session)
    const close = async (): Promise<void> => {
      await database.destroy()
      await notifier[Symbol.asyncDispose]()
      await closeConnections()
    }
    const pools = [log, notifications, rows]
    const cluster = createCluster(sql, session, () => ({
      // The session is one connection more.
      connections: 1 + sum(pools.map(({ totalCount }) => totalCount)),
      waiting: sum(pools.map(({ waitingCount }) => waitingCount)),
      noticeLagMs: notifier.lagMs(),
    }))
    return { store, notifier, database, cluster, close }
  } catch (error) {
    await closeConnections()
    throw error
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
