import { sql } from 'kysely'

import { keyedQuery, keyedWords, ownerKey } from './owned-words.ts'
import { purgeFullTextIndex } from './purge-full-text-index.ts'
import type { WordIndex, WordIndexOptions, WordPhrase, WordQuery } from './word-index.ts'

/** An index in FTS5. https://www.sqlite.org/fts5.html */
export function sqliteWordIndex({ table, columns }: WordIndexOptions): WordIndex {
  const name = sql.table(table)
  const names = Object.keys(columns)
  const weights = sql.join(Object.values(columns).map((weight) => sql.lit(weight)))
  return {
    async write(trx, { row, owner }, texts) {
      const fields = sql.join(names.map((column) => sql.ref(column)))
      const values = sql.join(names.map((column) => keyedWords(ownerKey(owner), texts[column] ?? '')))
      await sql`REPLACE INTO ${name} (rowid, ${fields}) VALUES (${row}, ${values})`.execute(trx)
    },
    async remove(trx, row) {
      await sql`DELETE FROM ${name} WHERE rowid = ${row}`.execute(trx)
    },
    find: (_db, query, { owner, column, isAny }) => {
      const match = toFts5(keyedQuery(ownerKey(owner), query), isAny)
      const text = column === undefined ? match : `${column} : (${match})`
      return sql`(SELECT rowid AS row FROM ${name} WHERE ${name} MATCH ${text})`
    },
    rank: (_db, query, { owner, isAny }) =>
      sql`(SELECT rowid AS row, bm25(${name}, ${weights}) AS distance FROM ${name}
        WHERE ${name} MATCH ${toFts5(keyedQuery(ownerKey(owner), query), isAny)})`,
    purge: (db) => purgeFullTextIndex(db, table),
  }
}

/** Quoted, so that no word is an operator. https://www.sqlite.org/fts5.html#full_text_query_syntax */
export function toFts5(query: WordQuery, isAny = false): string {
  const phrase = ({ words, isPrefix = false }: WordPhrase): string =>
    `"${words.join(' ')}"${isPrefix ? '*' : ''}`
  const terms = query.map((spellings) => `(${spellings.map(phrase).join(' OR ')})`)
  return terms.join(isAny ? ' OR ' : ' AND ')
}
