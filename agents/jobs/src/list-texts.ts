import { sql, type Kysely, type RawBuilder, type AliasedExpression } from 'kysely'

import type { Tables } from './tables.ts'

/** Lists with the texts of their items: a page has so many characters of them, unless its first item has more. */
const MAX_PAGE_CHARACTERS = 1_000_000

type Sized = { readonly size: number | string }

/** The length of a column, as `size`. */
export function textLength(column: 'content'): AliasedExpression<number | string, 'size'> {
  const length: RawBuilder<number | string> = sql`length(${sql.ref(column)})`
  return length.as('size')
}

/** How many of the rows make up a page of at most `limit`. */
export function rowsThatFit(rows: readonly Sized[], limit: number): number {
  let characters = 0
  const end = rows.findIndex(({ size }, index) => {
    characters += Number(size)
    return index > 0 && characters > MAX_PAGE_CHARACTERS
  })
  return end < 0 ? limit : Math.min(end, limit)
}

/** The texts of these rows, by id. */
export async function textsOf(
  db: Kysely<Tables>,
  table: 'resumes' | 'tailored_resumes',
  rows: readonly { readonly id: number }[],
): Promise<ReadonlyMap<number, string>> {
  if (rows.length === 0) return new Map()
  const ids = rows.map(({ id }) => id)
  const found = await db.selectFrom(table).select(['id', 'content']).where('id', 'in', ids).execute()
  return new Map(found.map(({ id, content }) => [id, content]))
}
