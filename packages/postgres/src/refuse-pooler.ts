import type pg from 'pg'

import { unsafe } from './check-settings.ts'
import type { Session } from './client/session.ts'

/** A pooler may by chance give a client the same connection again. */
const ATTEMPTS = 3

/** @throws ServiceError `invalid-request` for a pooler that changes the connection of the session */
export async function refusePooler(session: Session, pool: pg.Pool): Promise<void> {
  if (await sharesConnections(session, pool))
    throw unsafe(
      'it leads through a pooler in transaction mode, where a session keeps neither its locks nor its ' +
        'notifications. Use its session mode (pool_mode = session in PgBouncer) or the database itself.',
    )
}

/**
 * Whether the session runs on different connections of the server, or on one that another client uses too: while a
 * transaction of the other client holds its connection, a pooler must give the session another one.
 */
async function sharesConnections(session: Session, pool: pg.Pool): Promise<boolean> {
  const processIds = new Set<number>()
  const note = async (): Promise<void> => {
    const [row] = await session.query<{ id: number }>('SELECT pg_backend_pid() AS id')
    if (row) processIds.add(row.id)
  }
  const other = await pool.connect()
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      await note()
      await other.query('BEGIN')
      const { rows } = await other.query<{ id: number }>('SELECT pg_backend_pid() AS id')
      await note()
      await other.query('COMMIT')
      if (processIds.size > 1 || rows.some(({ id }) => processIds.has(id))) return true
    }
    return false
  } finally {
    other.release(true)
  }
}
