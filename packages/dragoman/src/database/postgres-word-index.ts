import { sql, type QueryExecutorProvider } from 'kysely'

import { keyedQuery, keyedWords, ownerKey } from './owned-words.ts'
import type { OwnedRow, WordIndex, WordIndexOptions, WordPhrase, WordQuery } from './word-index.ts'

/** The labels of PostgreSQL for the words of up to four columns. */
const LABELS = ['A', 'B', 'C', 'D'] as const
/** Words of two columns are never adjacent. */
const COLUMN_GAP = 100
/** PostgreSQL counts no further. https://www.postgresql.org/docs/current/textsearch-limitations.html */
const MAX_POSITION = 16_383
const MAX_POSITIONS_OF_WORD = 255
const MAX_WORD_BYTES = 2000
/** A vector has less than a megabyte. Each word takes a few bytes more, and each position two. */
const MAX_VECTOR_BYTES = 1_000_000
const WORD_OVERHEAD_BYTES = 8

type RowTexts = Readonly<Record<string, string>>

export interface PostgresWordIndex extends WordIndex {
  /** The same as `write` for several rows, at least one, in one statement. */
  writeAll(
    trx: QueryExecutorProvider,
    rows: readonly (OwnedRow & { readonly texts: RowTexts })[],
  ): Promise<void>
}

/** An index in a column of type `tsvector`, which the application fills: PostgreSQL splits no Chinese. */
export function postgresWordIndex({ table, columns }: WordIndexOptions): PostgresWordIndex {
  const name = sql.table(table)
  const names = Object.keys(columns)
  const labelOf = (column: string): string => LABELS[names.indexOf(column)] ?? 'A'
  const highest = Math.max(...Object.values(columns))
  const shares = LABELS.map((_, at) => (Object.values(columns)[at] ?? 0) / highest).toReversed()
  const weights = sql.lit(`{${shares.join(',')}}`)
  const vectorOf = (owner: string, texts: RowTexts): string => {
    const key = ownerKey(owner)
    return toVector(
      names.map((column) => ({ label: labelOf(column), text: keyedWords(key, texts[column] ?? '') })),
    )
  }
  const writeAll: PostgresWordIndex['writeAll'] = async (trx, rows) => {
    const values = rows.map(({ row, owner, texts }) => sql`(${row}, ${vectorOf(owner, texts)}::tsvector)`)
    await sql`INSERT INTO ${name} ("row", words) VALUES ${sql.join(values)}
      ON CONFLICT ("row") DO UPDATE SET words = excluded.words`.execute(trx)
  }
  return {
    write: (trx, row, texts) => writeAll(trx, [{ ...row, texts }]),
    writeAll,
    async remove(trx, row) {
      await sql`DELETE FROM ${name} WHERE "row" = ${row}`.execute(trx)
    },
    find: (_db, query, { owner, column, isAny }) => {
      const match = toTsquery(
        keyedQuery(ownerKey(owner), query),
        isAny,
        column === undefined ? '' : labelOf(column),
      )
      return sql`(SELECT "row" FROM ${name} WHERE words @@ ${match}::tsquery)`
    },
    rank: (_db, query, { owner, isAny }) => {
      const match = toTsquery(keyedQuery(ownerKey(owner), query), isAny)
      return sql`(SELECT "row", -ts_rank(${weights}::real[], words, ${match}::tsquery, 1) AS distance FROM ${name}
        WHERE words @@ ${match}::tsquery)`
    },
    purge: async () => undefined,
  }
}

/** Words for which there is no room are left out. */
function toVector(texts: readonly { readonly label: string; readonly text: string }[]): string {
  const places = new Map<string, string[]>()
  let position = 0
  let room = MAX_VECTOR_BYTES
  for (const { label, text } of texts) {
    for (const word of text.split(' ')) {
      if (word === '') continue
      position = Math.min(position + 1, MAX_POSITION)
      const found = places.get(word)
      const bytes = found ? 2 : Buffer.byteLength(word) + WORD_OVERHEAD_BYTES
      if (bytes > Math.min(room, MAX_WORD_BYTES) || (found?.length ?? 0) >= MAX_POSITIONS_OF_WORD) continue
      room -= bytes
      if (found) found.push(`${position}${label}`)
      else places.set(word, [`${position}${label}`])
    }
    position += COLUMN_GAP
  }
  return Array.from(places, ([word, all]) => `${quote(word)}:${all.join(',')}`).join(' ')
}

/** https://www.postgresql.org/docs/current/datatype-textsearch.html#DATATYPE-TSQUERY */
function toTsquery(query: WordQuery, isAny = false, label = ''): string {
  const phrase = ({ words, isPrefix = false }: WordPhrase): string => {
    const last = words.length - 1
    const marks = (at: number): string => `${isPrefix && at === last ? '*' : ''}${label}`
    const all = words.map((word, at) => `${quote(word)}${marks(at) === '' ? '' : `:${marks(at)}`}`)
    return `(${all.join(' <-> ')})`
  }
  const terms = query.map((spellings) => spellings.filter(mayBeThere).map(phrase))
  // Nothing matches an empty query.
  if (!isAny && terms.some((spellings) => spellings.length === 0)) return ''
  const some = terms
    .filter((spellings) => spellings.length > 0)
    .map((spellings) => `(${spellings.join(' | ')})`)
  return some.join(isAny ? ' | ' : ' & ')
}

/** Longer words are not in the index, and PostgreSQL takes none in a query. */
function mayBeThere({ words }: WordPhrase): boolean {
  return words.every((word) => Buffer.byteLength(word) <= MAX_WORD_BYTES)
}

function quote(word: string): string {
  return `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}
