import { sql } from 'kysely'

import type { Database } from './open-database.ts'

/**
 * A change to the tables. `name` is unique forever. An applied migration never changes.
 *
 * @example
 * const migrations: readonly Migration[] = [
 *   { name: 'dice-1-rolls', statements: ['CREATE TABLE rolls (value INTEGER NOT NULL) STRICT'] },
 * ]
 */
export type Migration = { readonly name: string; readonly statements: readonly string[] }

type MigrationTables = { schema_migrations: { name: string; applied_at: string } }

/** Brings the tables up to date, each step in a transaction of its own. Two processes may do so at once. */
export async function migrate(db: Database, migrations: readonly Migration[]): Promise<void> {
  const tables = db.withTables<MigrationTables>()
  await sql`CREATE TABLE IF NOT EXISTS schema_migrations (name TEXT PRIMARY KEY, applied_at TEXT NOT NULL)`.execute(
    db,
  )
  for (const migration of migrations) {
    await tables.transaction().execute(async (trx) => {
      const appliedRow = await trx
        .selectFrom('schema_migrations')
        .select('name')
        .where('name', '=', migration.name)
        .executeTakeFirst()
      if (appliedRow) return
      for (const statement of migration.statements) await sql.raw(statement).execute(trx)
      await trx
        .insertInto('schema_migrations')
        .values({ name: migration.name, applied_at: new Date().toISOString() })
        .execute()
    })
  }
}
