import { sql, type Kysely, type QueryExecutorProvider } from 'kysely'

import { nextTurn } from '../async/index.ts'
import { dialectOf } from './dialect.ts'
import { keyedQuery, keyedWords, partKey, partOf } from './owned-words.ts'
import { postgresWordIndex } from './postgres-word-index.ts'
import { purgeFullTextIndex } from './purge-full-text-index.ts'
import { toFts5 } from './sqlite-word-index.ts'
import type { OwnedRow, WordQuery } from './word-index.ts'

/** A search of SQLite gives way to other work after this time, in ms. */
const MAX_TURN_MS = 10

/**
 * A full-text index whose newest rows are found first: rows with higher numbers are newer. In SQLite, where triggers
 * fill it, the table has one column, `words`; in PostgreSQL `row` and `words`.
 */
export interface NewestFirstIndex {
  /** Writes the words of rows, which are separated by spaces. */
  write(trx: QueryExecutorProvider, rows: readonly (OwnedRow & { readonly words: string })[]): Promise<void>
  /**
   * The newest of the owner's rows before one that match, in descending order. However many rows the owner has, it
   * holds up other work for some milliseconds at a time.
   */
  newest<Tables>(
    db: Kysely<Tables>,
    query: WordQuery,
    page: { readonly owner: string; readonly before: number; readonly limit: number },
  ): Promise<readonly number[]>
  /** Overwrites removed words in SQLite's file. PostgreSQL does so by itself. */
  purge<Tables>(db: Kysely<Tables>): Promise<void>
}

/** Describes an index whose table exists. In SQLite, `ownedWords` makes the words that triggers write. */
export function createNewestFirstIndex(table: string): NewestFirstIndex {
  const name = sql.table(table)
  const postgres = postgresWordIndex({ table, columns: { words: 1 } })
  return {
    async write(trx, rows) {
      if (rows.length === 0) return
      if (dialectOf(trx) === 'postgres')
        return postgres.writeAll(
          trx,
          rows.map(({ words, ...row }) => ({ ...row, texts: { words } })),
        )
      const values = rows.map(({ row, owner, words }) => sql`(${row}, ${ownedWords(words, owner, row)})`)
      await sql`REPLACE INTO ${name} (rowid, words) VALUES ${sql.join(values)}`.execute(trx)
    },
    async newest(db, query, { owner, before, limit }) {
      if (dialectOf(db) === 'postgres') {
        const found = postgres.find(db, query, { owner })
        const { rows } = await sql<{
          row: number
        }>`SELECT "row" FROM ${found} AS found WHERE "row" < ${before}
          ORDER BY "row" DESC LIMIT ${limit}`.execute(db)
        return rows.map(({ row }) => row)
      }
      const latest = await sql<{
        row: number
      }>`SELECT rowid AS row FROM ${name} ORDER BY rowid DESC LIMIT 1`.execute(db)
      const found: number[] = []
      let since = performance.now()
      for (
        let part = partOf(Math.min(before - 1, latest.rows[0]?.row ?? -1));
        part >= 0 && found.length < limit;
        part -= 1
      ) {
        const match = toFts5(keyedQuery(partKey(owner, part), query))
        const { rows } = await sql<{ row: number }>`SELECT rowid AS row FROM ${name}
          WHERE ${name} MATCH ${match} AND rowid < ${before} ORDER BY rowid DESC LIMIT ${limit - found.length}`.execute(
          db,
        )
        found.push(...rows.map(({ row }) => row))
        if (performance.now() - since < MAX_TURN_MS) continue
        await nextTurn()
        since = performance.now()
      }
      return found
    },
    purge: async (db) => (dialectOf(db) === 'sqlite' ? purgeFullTextIndex(db, table) : undefined),
  }
}

/** The words of a row as SQLite's newest-first index has them. It is a function in SQL. */
export function ownedWords(words: string, owner: string, row: number): string {
  return keyedWords(partKey(owner, partOf(row)), words)
}
