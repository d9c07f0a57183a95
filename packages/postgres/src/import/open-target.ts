import { Client } from 'pg'

import { lockMigrations, migrate, type Database, type Migration } from 'dragoman/database'
import { ServiceError } from 'dragoman/errors'

import { connectionOptions } from '../client/pool.ts'
import { checkSettings } from '../check-settings.ts'
import { openRows, type RowConnections } from '../rows/open-rows.ts'
import { IMPORT_LOCK, logMigrations } from '../store/schema.ts'
import type { Query } from '../store/sql.ts'

/** The database that a home is moved into, in one transaction of one connection. */
export interface Target {
  readonly query: Query
  /** The same transaction for code that uses rows. */
  readonly database: Database
  /** Without a commit, nothing of it stays. */
  close(): Promise<void>
}

/** Opens a database, and refuses servers as long as it is open. @throws ServiceError that says what is wrong with it */
export async function openTarget(url: string): Promise<Target> {
  // A statement may take long: the check of all rows of a foreign key.
  const client = new Client({ ...connectionOptions(url), query_timeout: 0 })
  client.on('error', () => undefined)
  const query: Query = async (text, ...values) => (await client.query(text, [...values])).rows
  const close = (): Promise<void> => client.end().catch(() => undefined)
  try {
    await client.connect()
    await checkSettings(async (text) => (await client.query(text)).rows, '--to')
    const [lock] = await query<{ isFree: boolean }>(
      'SELECT pg_try_advisory_lock($1, 0) AS "isFree"',
      IMPORT_LOCK,
    )
    if (!lock?.isFree) throw new ServiceError('conflict', 'Another home is being moved into this database.')
    await query(
      `SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = 0`,
    )
    return { query, database: openRows(stepsOf(client)), close }
  } catch (error) {
    await close()
    throw error
  }
}

/** What a transaction of rows is inside of the one that is open. */
const STEPS: Readonly<Record<string, string>> = {
  BEGIN: 'SAVEPOINT step',
  COMMIT: 'RELEASE SAVEPOINT step',
  ROLLBACK: 'ROLLBACK TO SAVEPOINT step',
}

/** One connection, so only one transaction of rows at a time. */
function stepsOf(client: Client): RowConnections {
  return {
    connect: async () => ({
      query: (config) => client.query({ ...config, text: STEPS[config.text] ?? config.text }),
      release: () => undefined,
    }),
  }
}

const COUNT_TABLES = `
SELECT count(*) AS count FROM pg_class c
WHERE c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
  AND c.relkind IN ('r', 'p', 'v', 'm') AND NOT EXISTS (
    SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')`

/**
 * Begins the transaction and creates all tables in it.
 * @throws ServiceError `conflict` for a database that has tables
 */
export async function createTables(
  { query, database }: Target,
  migrations: readonly Migration[],
): Promise<void> {
  await query('BEGIN')
  // A server that starts now waits before it creates its tables.
  await lockMigrations(database)
  const [tables] = await query<{ count: number }>(COUNT_TABLES)
  if (tables?.count !== 0)
    throw new ServiceError(
      'conflict',
      'The database of --to is not empty. A home is moved into a new one: create it with createdb, and name it.',
    )
  await migrate(database, [...logMigrations, ...migrations])
}
