import { sql, type Kysely } from 'kysely'

import { ServiceError } from '../errors.ts'
import { dialectOf } from './dialect.ts'
import type { MigrationTables } from './migrate.ts'
import { describeNewer, type AppliedMigrations, type TableVersion } from './newer-migrations.ts'
import type { Database } from './open-database.ts'

/**
 * Whether a newer version has changed the tables, as `refuseNewerDatabase` asks of a file. Gives the error to throw
 * before anything is written: `unavailable`, with what to do. It only reads.
 *
 * @example
 * const newer = await findNewerTables(database, tableVersion(collectMigrations(agents), agents))
 * if (newer) throw newer
 */
export async function findNewerTables(
  db: Database,
  version: TableVersion,
): Promise<ServiceError | undefined> {
  const problem = describeNewer(version, await readMigrations(db.withTables<MigrationTables>()))
  return problem === undefined
    ? undefined
    : new ServiceError('unavailable', `The database cannot be used: ${problem}.`)
}

async function readMigrations(tables: Kysely<MigrationTables>): Promise<AppliedMigrations> {
  const existing = await existingTables(tables)
  const read = async (table: keyof MigrationTables): Promise<string[]> => {
    if (!existing.has(table)) return []
    const rows = await tables.selectFrom(table).select('name').execute()
    return rows.map(({ name }) => name).toSorted()
  }
  return { names: await read('schema_migrations'), compatible: await read('compatible_migrations') }
}

async function existingTables(tables: Kysely<MigrationTables>): Promise<ReadonlySet<string>> {
  const { rows } = await (
    dialectOf(tables) === 'postgres'
      ? sql<{ name: string }>`SELECT relname::text AS name FROM pg_class
          WHERE oid IN (to_regclass('schema_migrations'), to_regclass('compatible_migrations'))`
      : sql<{ name: string }>`SELECT name FROM sqlite_schema WHERE type = 'table'`
  ).execute(tables)
  return new Set(rows.map(({ name }) => name))
}
