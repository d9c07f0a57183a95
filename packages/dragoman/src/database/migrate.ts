import { sql, type Kysely, type QueryExecutorProvider } from 'kysely'

import { dialectOf, lockTurn, type DialectName } from './dialect.ts'
import type { Database } from './open-database.ts'
import { ServiceError } from '../errors.ts'
import { repeatWhileAway } from './repeat-while-away.ts'
import { toPostgres } from './postgres-statements.ts'

/**
 * A statement of a migration, in SQLite's words. For PostgreSQL its types and table options are translated: `INTEGER`
 * becomes `BIGINT`, for example. Where that is not enough, the statements of each are given.
 *
 * @example
 * const statement: MigrationStatement = {
 *   sqlite: ['UPDATE rolls SET value = max(value, 1)'],
 *   postgres: ['UPDATE rolls SET value = greatest(value, 1)'],
 * }
 */
export type MigrationStatement = string | Readonly<Record<DialectName, readonly string[]>>

/**
 * A change to the tables. `name` is unique forever. An applied migration never changes.
 *
 * A program that does not know an applied migration refuses the database. `olderMayWrite` allows it to go on, so that
 * two versions can serve side by side during an update: only for a migration that adds tables, or columns with a
 * default, whose rows stay right although an older program writes the others without them.
 *
 * @example
 * const migrations: readonly Migration[] = [
 *   { name: 'dice-1-rolls', statements: ['CREATE TABLE rolls (value INTEGER NOT NULL) STRICT'] },
 * ]
 */
export type Migration = {
  readonly name: string
  readonly statements: readonly MigrationStatement[]
  readonly olderMayWrite?: true
}

/** `compatible_migrations` has the migrations that an older program need not know. */
export type MigrationTables = {
  schema_migrations: { name: string; applied_at: string }
  compatible_migrations: { name: string }
}

/** Brings the tables up to date, each step in a transaction of its own. Several processes may do so at once. */
export async function migrate(db: Database, migrations: readonly Migration[]): Promise<void> {
  const tables = db.withTables<MigrationTables>()
  await tables.transaction().execute(async (trx) => {
    await lockMigrations(trx)
    await sql`CREATE TABLE IF NOT EXISTS schema_migrations (name TEXT PRIMARY KEY, applied_at TEXT NOT NULL)`.execute(
      trx,
    )
    await sql`CREATE TABLE IF NOT EXISTS compatible_migrations (name TEXT PRIMARY KEY)`.execute(trx)
  })
  const appliedRows = await tables.selectFrom('schema_migrations').select('name').execute()
  const applied = new Set(appliedRows.map(({ name }) => name))
  for (const migration of migrations) if (!applied.has(migration.name)) await apply(tables, migration)
}

/** One process at a time changes the tables: it waits here, and holds this until its transaction ends. */
export function lockMigrations(trx: QueryExecutorProvider): Promise<void> {
  return lockTurn(trx, 'dragoman migrations')
}

/**
 * How long a statement waits for a table that others use. It is shorter than PostgreSQL waits before it looks for
 * deadlocks, so a migration gives way, and not a request.
 */
const LOCK_TIMEOUT = '500ms'
const MAX_ATTEMPTS = 60

async function apply(tables: Kysely<MigrationTables>, migration: Migration): Promise<void> {
  const { name, statements, olderMayWrite = false } = migration
  const applyOnce = async (trx: Kysely<MigrationTables>): Promise<void> => {
    await lockMigrations(trx)
    const applied = trx.selectFrom('schema_migrations').select('name').where('name', '=', name)
    if (await applied.executeTakeFirst()) return
    if (dialectOf(trx) === 'postgres')
      await sql`SET LOCAL lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(trx)
    for (const statement of statements.flatMap((each) => translate(each, dialectOf(trx))))
      await sql.raw(statement).execute(trx)
    await trx.insertInto('schema_migrations').values({ name, applied_at: new Date().toISOString() }).execute()
    if (olderMayWrite) await trx.insertInto('compatible_migrations').values({ name }).execute()
  }
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await repeatWhileAway(() => tables.transaction().execute(applyOnce))
    } catch (error) {
      if (!isLockTimeout(error)) throw error
      if (attempt === MAX_ATTEMPTS) throw tablesInUse(name, error)
    }
  }
}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03'
}

function tablesInUse(migration: string, cause: unknown): ServiceError {
  return new ServiceError(
    'unavailable',
    `Another transaction has used a table for 30 s that the migration ${migration} changes. End it, and start again.`,
    { cause },
  )
}

function translate(statement: MigrationStatement, dialect: DialectName): readonly string[] {
  if (typeof statement !== 'string') return statement[dialect]
  return [dialect === 'postgres' ? toPostgres(statement) : statement]
}
