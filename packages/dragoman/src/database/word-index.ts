import type { Kysely, QueryExecutorProvider, RawBuilder } from 'kysely'

/** Adjacent words of a text. With `isPrefix`, the last one may be the beginning of a word. */
export type WordPhrase = { readonly words: readonly string[]; readonly isPrefix?: boolean }

/** All of these, each in one of its spellings. */
export type WordQuery = readonly (readonly WordPhrase[])[]

export type WordIndexOptions = {
  /** The table of the index. A migration creates it. */
  readonly table: string
  /** The columns, at most four, and how much a match in each counts. */
  readonly columns: Readonly<Record<string, number>>
}

/** A row of an index: the number of the row that it describes, and the user who alone may find it. */
export type OwnedRow = { readonly row: number; readonly owner: string }

/**
 * A full-text index of words that are split already: FTS5 in SQLite, a `tsvector` in PostgreSQL, where the table has
 * the columns `row` and `words`. A search reads what its owner has, and nothing of others.
 */
export interface WordIndex {
  /** Writes the words of a row, in the transaction that writes the row. The words of a text are separated by spaces. */
  write(trx: QueryExecutorProvider, row: OwnedRow, texts: Readonly<Record<string, string>>): Promise<void>
  remove(trx: QueryExecutorProvider, row: number): Promise<void>
  /** The owner's rows that match, as a table for `FROM`. With `column`, only the words in that column count. */
  find(
    db: QueryExecutorProvider,
    query: WordQuery,
    options: { readonly owner: string; readonly column?: string; readonly isAny?: boolean },
  ): RawBuilder<{ row: number }>
  /** The same with the distance of each row: the best match has the lowest. `isAny`: one match is enough. */
  rank(
    db: QueryExecutorProvider,
    query: WordQuery,
    options: { readonly owner: string; readonly isAny?: boolean },
  ): RawBuilder<{ row: number; distance: number }>
  /** Overwrites removed words in SQLite's file. PostgreSQL does so by itself. */
  purge<Tables>(db: Kysely<Tables>): Promise<void>
}
