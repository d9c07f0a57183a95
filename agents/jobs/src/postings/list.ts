import { sql, type Kysely, type SqlBool } from 'kysely'

import { keyset } from 'dragoman/database'
import type { Tables } from '../tables.ts'
import type { Words } from '../words/search-words.ts'
import { summaryOf, type Posting } from './posting.ts'
import { summary, type SummaryRow } from './rows.ts'
import { conditions, holding, ofUser, type Filters } from './search.ts'

export const sorts = ['newest', 'score'] as const
type Sort = (typeof sorts)[number]

/** A page of postings, by `offset` or by the cursor of the previous page. */
export type Listing = Filters & {
  readonly search?: string | undefined
  readonly sort?: Sort | undefined
  readonly limit: number
  readonly offset?: number | undefined
  readonly cursor?: string | undefined
}

export type Listed = {
  readonly jobs: readonly Posting[]
  readonly total: number
  readonly nextCursor?: string
}

/** The sort keys of the indexes. Postings without a score come last. */
const orders = {
  newest: {
    key: sql<string>`jobs.created_at`,
    pages: keyset('newest', ['', 0], (row: SummaryRow) => [row.created_at, row.id]),
  },
  score: {
    key: sql<number>`coalesce(jobs.score, -1)`,
    pages: keyset('score', [0, 0], (row: SummaryRow) => [row.score ?? -1, row.id]),
  },
} as const

/** A page of a user's postings. A deep page by cursor costs no more than the first one. */
export async function list(
  db: Kysely<Tables>,
  words: Words,
  userId: string,
  { search = '', sort = 'newest', limit, offset = 0, cursor, ...filters }: Listing,
): Promise<Listed> {
  const where = [
    ofUser(userId),
    ...conditions(db, words, userId, filters),
    ...holding(db, userId, words.terms(search)),
  ]
  const matching = db.selectFrom('jobs').where((eb) => eb.and(where))
  const { total } = await matching
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const { key, pages } = orders[sort]
  const after = pages.after(cursor)
  const from = after ? [sql<SqlBool>`(${key}, jobs.id) < (${sql.join(after)})`] : []
  const page = db
    .selectFrom('jobs')
    .where((eb) => eb.and([...where, ...from]))
    .select('jobs.id')
    .orderBy(key, 'desc')
    .orderBy('jobs.id', 'desc')
    .limit(limit + 1)
    .offset(offset)
  const rows = await db
    .selectFrom('jobs')
    .select(summary())
    .where('jobs.id', 'in', page)
    .orderBy(key, 'desc')
    .orderBy('jobs.id', 'desc')
    .execute()
  const { rows: shown, ...next } = pages.page(rows, limit)
  return { jobs: shown.map(summaryOf), total, ...next }
}
