import type { QueryExecutorProvider } from 'kysely'

import { dialectOf } from './dialect.ts'
import { postgresWordIndex } from './postgres-word-index.ts'
import { sqliteWordIndex } from './sqlite-word-index.ts'
import type { WordIndex, WordIndexOptions } from './word-index.ts'

/**
 * Describes an index whose table exists.
 *
 * @example
 * const noteWords = createWordIndex({ table: 'note_words', columns: { title: 2, text: 1 } })
 * const row = { row: note.id, owner: note.userId }
 * await noteWords.write(trx, row, { title: tokenize(note.title), text: tokenize(note.text) })
 */
export function createWordIndex(options: WordIndexOptions): WordIndex {
  const drivers = { sqlite: sqliteWordIndex(options), postgres: postgresWordIndex(options) }
  const driver = (db: QueryExecutorProvider): WordIndex => drivers[dialectOf(db)]
  return {
    write: (trx, row, texts) => driver(trx).write(trx, row, texts),
    remove: (trx, row) => driver(trx).remove(trx, row),
    find: (db, query, how) => driver(db).find(db, query, how),
    rank: (db, query, how) => driver(db).rank(db, query, how),
    purge: (db) => driver(db).purge(db),
  }
}
