import {
  PostgresAdapter,
  sql,
  type Kysely,
  type QueryExecutorProvider,
  type RawBuilder,
  type SelectQueryBuilder,
} from 'kysely'

/**
 * The database's kind. Most statements are the same on both; code asks only where they cannot be.
 *
 * @example
 * const kind: DialectName = dialectOf(db)
 */
export type DialectName = 'sqlite' | 'postgres'

/** The kind of a database or of a transaction in it. */
export function dialectOf(db: QueryExecutorProvider): DialectName {
  return db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite'
}

/**
 * The strings of a JSON array as a table with the column `value`, for `FROM`. PostgreSQL refuses an array with the
 * character U+0000 or half a surrogate pair in it.
 *
 * @example
 * sql`EXISTS (SELECT 1 FROM ${jsonTable(db, sql`rolls.tags`)} AS tag WHERE tag.value = ${tag})`
 */
export function jsonTable(db: QueryExecutorProvider, array: RawBuilder<string>): RawBuilder<unknown> {
  return dialectOf(db) === 'postgres'
    ? sql`(SELECT each.value COLLATE "C" AS value FROM jsonb_array_elements_text((${array})::jsonb) AS each (value))`
    : sql`json_each(${array})`
}

/**
 * The strings of an array, or of its JSON, as a subquery for `IN`. The statement's text is the same for any number of
 * strings, so it is prepared once.
 *
 * @example
 * db.selectFrom('rolls').where('id', 'in', jsonStrings(db, ids))
 */
export function jsonStrings(
  db: QueryExecutorProvider,
  strings: readonly (string | null)[] | string,
): RawBuilder<string> {
  const isPostgres = dialectOf(db) === 'postgres'
  const list = Array.isArray(strings) ? JSON.stringify(isPostgres ? strings.map(storable) : strings) : strings
  return sql`(SELECT value FROM ${jsonTable(db, sql`${list}`)} AS strings)`
}

/** As PostgreSQL stores a text. */
function storable(text: string | null): string | null {
  return text?.toWellFormed().replaceAll('\0', '\u{FFFD}') ?? null
}

/**
 * Waits until no other transaction holds this turn, and holds it until the end of the transaction. SQLite's
 * transactions never overlap, so there it does nothing.
 *
 * @example
 * await db.transaction().execute(async (trx) => {
 *   await lockTurn(trx, `thread ${id}`)
 *   // Only one process reads and then writes the thread.
 * })
 */
export async function lockTurn(trx: QueryExecutorProvider, turn: string): Promise<void> {
  if (dialectOf(trx) === 'sqlite') return
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${turn}, 0))`.execute(trx)
}

/**
 * Locks the rows that a query finds until the end of the transaction, so that no other one changes them meanwhile.
 * SQLite's transactions never overlap, so there the query stays as it is.
 *
 * @example
 * const row = await lockRows(trx, trx.selectFrom('rolls').selectAll().where('id', '=', id)).executeTakeFirst()
 */
export function lockRows<Tables, Names extends keyof Tables, Row>(
  trx: QueryExecutorProvider,
  query: SelectQueryBuilder<Tables, Names, Row>,
): SelectQueryBuilder<Tables, Names, Row> {
  return dialectOf(trx) === 'sqlite' ? query : query.forNoKeyUpdate()
}

/**
 * Does something alone: no other process that asks for one of these turns does it at the same time. SQLite's statements
 * never overlap, so there one statement needs no transaction.
 *
 * @example
 * await inTurns(db, [`quota ${userId}`], (trx) => insertUnlessFull.execute(trx))
 */
export async function inTurns<Tables, Result>(
  db: Kysely<Tables>,
  turns: readonly string[],
  action: (db: Kysely<Tables>) => Promise<Result>,
): Promise<Result> {
  if (turns.length === 0 || dialectOf(db) === 'sqlite') return action(db)
  return db.transaction().execute(async (trx) => {
    // In one order everywhere, so that no two wait for each other.
    for (const turn of turns.toSorted()) await lockTurn(trx, turn)
    return action(trx)
  })
}
