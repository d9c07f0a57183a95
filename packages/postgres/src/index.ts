import type { Notifier, Store } from 'dragoman/stores'

import { createPool } from './client/pool.ts'
import { openSession } from './client/session.ts'
import { createPostgresNotifier } from './notifier.ts'
import { refuseUnsafeDatabase } from './refuse-unsafe-database.ts'
import { createPostgresStore } from './store/postgres-store.ts'

/** Connections for the log of one node. With the session and the sender of notifications it uses five. */
const LOG_CONNECTIONS = 3

/** The log of a server in PostgreSQL. `close` closes all its connections. */
export type PostgresLog = {
  readonly store: Store
  readonly notifier: Notifier
  readonly close: () => Promise<void>
}

/**
 * Opens the log for one node. All nodes with the same URL share their runs. The URL must not lead through a pooler in
 * transaction mode.
 * @throws ServiceError `invalid-request` if the database's settings are unsafe, and the error of the first connection
 *
 * @example
 * const { store, notifier, close } = await openPostgres('postgres://dragoman@127.0.0.1/dragoman')
 */
export async function openPostgres(url: string): Promise<PostgresLog> {
  const session = await openSession(url)
  const log = createPool(url, LOG_CONNECTIONS)
  const notifications = createPool(url, 1)
  const closeConnections = async (): Promise<void> => {
    await session[Symbol.asyncDispose]()
    await Promise.all([log.end(), notifications.end()])
  }
  try {
    await refuseUnsafeDatabase(session)
    const store = await createPostgresStore(log, session)
    const notifier = await createPostgresNotifier(notifications, session)
    const close = async (): Promise<void> => {
      await notifier[Symbol.asyncDispose]()
      await closeConnections()
    }
    return { store, notifier, close }
  } catch (error) {
    await closeConnections()
    throw error
  }
}
