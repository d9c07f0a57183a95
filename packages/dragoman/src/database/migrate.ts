import { sql, type Kysely, type QueryExecutorProvider } from 'kysely'

import { dialectOf, lockTurn, type DialectName } from './dialect.ts'
import type { Database } from './open-database.ts'
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
 * @example
 * const migrations: readonly Migration[] = [
 *   { name: 'dice-1-rolls', statements: ['CREATE TABLE rolls (value INTEGER NOT NULL) STRICT'] },
 * ]
 */
export type Migration = { readonly name: string; readonly statements: readonly MigrationStatement[] }

type MigrationTables = { schema_migrations: { name: string; applied_at: string } }

/** Brings the tables up to date, each step in a transaction of its own. Several processes may do so at once. */
export async function migrate(db: Database, migrations: readonly Migration[]): Promise<void> {
  const tables = db.withTables<MigrationTables>()
  await tables.transaction().execute(async (trx) => {
    await lockMigrations(trx)
    await sql`CREATE TABLE IF NOT EXISTS schema_migrations (name TEXT PRIMARY KEY, applied_at TEXT NOT NULL)`.execute(
      trx,
    )
  })
  const appliedRows = await tables.selectFrom('schema_migrations').select('name').execute()
  const applied = new Set(appliedRows.map(({ name }) => name))
  for (const migration of migrations) if (!applied.has(migration.name)) await apply(tables, migration)
}

/** One process at a time changes the tables: it waits here, and holds this until its transaction ends. */
export function lockMigrations(trx: QueryExecutorProvider): Promise<void> {
  return lockTurn(trx, 'dragoman migrations')
}

async function apply(tables: Kysely<MigrationTables>, { name, statements }: Migration): Promise<void> {
  const applyOnce = async (trx: Kysely<MigrationTables>): Promise<void> => {
    await lockMigrations(trx)
    const applied = trx.selectFrom('schema_migrations').select('name').where('name', '=', name)
    if (await applied.executeTakeFirst()) return
    for (const statement of statements.flatMap((each) => translate(each, dialectOf(trx))))
      await sql.raw(statement).execute(trx)
    await trx.insertInto('schema_migrations').values({ name, applied_at: new Date().toISOString() }).execute()
  }
  // It may be given up in a deadlock with other nodes, which use the tables.
  await repeatWhileAway(() => tables.transaction().execute(applyOnce))
}

function translate(statement: MigrationStatement, dialect: DialectName): readonly string[] {
  if (typeof statement !== 'string') return statement[dialect]
  return [dialect === 'postgres' ? toPostgres(statement) : statement]
}
