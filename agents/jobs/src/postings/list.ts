import { sql, type Kysely, type SqlBool } from 'kysely'

import { ServiceError } from 'dragoman/errors'
import type { Tables } from '../tables.ts'
import type { Words } from '../words/words.ts'
import { summaryOf, type Posting } from './posting.ts'
import { summary, type SummaryRow } from './rows.ts'
import { conditions, holding, ofUser, type Condition, type Filters } from './search.ts'

export const sorts = ['newest', 'score'] as const
type Sort = (typeof sorts)[number]

/** Which page of which postings: by how many to pass over, or by the cursor of the page before. */
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

/** As an index has it. Those without a score come last. */
const keys = {
  newest: sql<string>`jobs.created_at`,
  score: sql<number>`coalesce(jobs.score, -1)`,
} as const

/** A page of a user's postings. A deep page that is asked for by its cursor costs no more than the first. */
export async function list(
  db: Kysely<Tables>,
  words: Words,
  userId: string,
  { search = '', sort = 'newest', limit, offset = 0, cursor, ...filters }: Listing,
): Promise<Listed> {
  const where = [ofUser(userId), ...conditions(words, filters), ...holding(words.terms(search))]
  const matching = db.selectFrom('jobs').where((eb) => eb.and(where))
  const { total } = await matching
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const key = keys[sort]
  const page = db
    .selectFrom('jobs')
    .where((eb) => eb.and([...where, ...after(sort, cursor)]))
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
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    jobs: shown.map(summaryOf),
    total,
    ...(rows.length > limit && last && { nextCursor: cursorOf(sort, last) }),
  }
}

function cursorOf(sort: Sort, row: SummaryRow): string {
  const key = sort === 'newest' ? row.created_at : (row.score ?? -1)
  return Buffer.from(JSON.stringify([sort, key, row.id])).toString('base64url')
}

/** @throws ServiceError `invalid-request` for what is no cursor of this order */
function after(sort: Sort, cursor: string | undefined): readonly Condition[] {
  if (cursor === undefined) return []
  const [of, key, id] = decoded(cursor)
  const fits = typeof key === (sort === 'newest' ? 'string' : 'number')
  if (of !== sort || !fits || !Number.isSafeInteger(id)) {
    throw new ServiceError('invalid-request', 'cursor must be the nextCursor of a page in the same order')
  }
  return [sql<SqlBool>`(${keys[sort]}, jobs.id) < (${key}, ${id})`]
}

function decoded(cursor: string): readonly unknown[] {
  try {
    const read: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(read) ? read : []
  } catch (error) {
    if (error instanceof SyntaxError) return []
    throw error
  }
}
