import { sql, type Expression, type Kysely, type RawBuilder, type SqlBool } from 'kysely'

import { jsonTable, type WordQuery } from 'dragoman/database'
import type { Source, Tables } from '../tables.ts'
import type { Term, Words } from '../words/search-words.ts'
import { postingWords } from './posting-words.ts'
import { whole, type WholeRow } from './rows.ts'
import type { Status } from './status.ts'

/** Filters of postings. Absent ones do not matter. */
export type Filters = {
  readonly status?: Status | undefined
  readonly starred?: boolean | undefined
  readonly location?: string | undefined
  readonly company?: string | undefined
  /** True: only remote ones; false: only the others. */
  readonly remote?: boolean | undefined
  /** The pay of a year, in the posting's currency. Postings without pay do not match. */
  readonly minSalary?: number | undefined
  /** An ISO time. A posting without a date counts from when it was first seen. */
  readonly postedSince?: string | undefined
  readonly tag?: string | undefined
  readonly source?: Source | undefined
  /** Whether the follow-up is due at `by`, an ISO time. */
  readonly due?: { readonly by: string; readonly is: boolean } | undefined
}

export type Search = Filters & { readonly keywords?: string | undefined; readonly limit: number }

/** `matched`: the postings have all terms, or any of them if none has all. */
export type Found = {
  readonly total: number
  readonly matched: 'all' | 'any'
  readonly terms: readonly Term[]
  readonly rows: readonly WholeRow[]
}

export type Condition = Expression<SqlBool>

/** Finds a user's postings by their words, the best first; without words the newest first. */
export async function search(
  db: Kysely<Tables>,
  words: Words,
  userId: string,
  { keywords = '', limit, ...filters }: Search,
): Promise<Found> {
  const terms = words.terms(keywords)
  const passing = [ofUser(userId), ...conditions(db, words, userId, filters)]
  const all = await ranked(db, passing, { userId, terms, isAny: false }, limit)
  if (all.total > 0 || terms.length < 2) return { ...all, matched: 'all', terms }
  return { ...(await ranked(db, passing, { userId, terms, isAny: true }, limit)), matched: 'any', terms }
}

export function ofUser(userId: string): Condition {
  return sql<SqlBool>`jobs.user_id = ${userId}`
}

/** The conditions of filters. */
export function conditions(
  db: Kysely<Tables>,
  words: Words,
  userId: string,
  filters: Filters,
): readonly Condition[] {
  const { status, starred, location, company, remote, minSalary, postedSince, tag, source, due } = filters
  const found = [
    status !== undefined && sql<SqlBool>`jobs.status = ${status}`,
    starred !== undefined && sql<SqlBool>`jobs.starred = ${starred ? 1 : 0}`,
    company !== undefined && sql<SqlBool>`lower(jobs.company) LIKE ${like(company.trim())} ESCAPE '\\'`,
    remote === true && sql<SqlBool>`jobs.workplace = 'remote'`,
    remote === false && sql<SqlBool>`jobs.workplace IS DISTINCT FROM 'remote'`,
    minSalary !== undefined &&
      sql<SqlBool>`coalesce(jobs.salary_annual_max, jobs.salary_annual_min) >= ${minSalary}`,
    postedSince !== undefined && sql<SqlBool>`coalesce(jobs.posted_at, jobs.first_seen_at) >= ${postedSince}`,
    tag !== undefined &&
      sql<SqlBool>`EXISTS (
        SELECT 1 FROM ${jsonTable(db, sql`jobs.tags`)} AS tag WHERE lower(tag.value) = ${asciiLower(tag)}
      )`,
    source !== undefined && sql<SqlBool>`jobs.source = ${source}`,
    due?.is === true && sql<SqlBool>`jobs.follow_up_at <= ${due.by}`,
    due?.is === false && sql<SqlBool>`(jobs.follow_up_at IS NULL OR jobs.follow_up_at > ${due.by})`,
  ]
  return [
    ...found.filter((each) => each !== false),
    ...(location === undefined ? [] : places(db, userId, words.terms(placeName(location)))),
  ]
}

/** The condition that a posting has all terms, each in any spelling and language. */
export function holding(db: Kysely<Tables>, userId: string, terms: readonly Term[]): readonly Condition[] {
  return terms.length === 0 ? [] : [indexed(postingWords.find(db, queryOf(terms), { owner: userId }))]
}

/** The text after a comma only says where the place is, and many postings omit it: `San Francisco, CA`. */
function placeName(location: string): string {
  return location.split(/[,，;；]/)[0] ?? ''
}

function places(db: Kysely<Tables>, userId: string, terms: readonly Term[]): readonly Condition[] {
  if (terms.length === 0) return []
  return [indexed(postingWords.find(db, queryOf(terms), { owner: userId, column: 'location' }))]
}

function queryOf(terms: readonly Term[]): WordQuery {
  return terms.map(({ phrases }) => phrases)
}

function indexed(found: RawBuilder<{ row: number }>): Condition {
  return sql<SqlBool>`jobs.id IN (SELECT "row" FROM ${found} AS found)`
}

type Matching = { readonly userId: string; readonly terms: readonly Term[]; readonly isAny: boolean }

async function ranked(
  db: Kysely<Tables>,
  where: readonly Condition[],
  match: Matching,
  limit: number,
): Promise<{ total: number; rows: readonly WholeRow[] }> {
  // Ids first: sorting whole postings would move their long texts.
  const best =
    match.terms.length === 0 ? await newest(db, where, limit) : await closest(db, where, match, limit)
  if (best.length === 0) return { total: 0, rows: [] }
  const ids = best.map(({ id }) => id)
  const rows = await db.selectFrom('jobs').select(whole()).where('id', 'in', ids).execute()
  return {
    total: best[0]?.total ?? 0,
    rows: rows.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)),
  }
}

/** A posting, and the total of them. */
type RankedRow = { readonly id: number; readonly total: number }

async function newest(
  db: Kysely<Tables>,
  where: readonly Condition[],
  limit: number,
): Promise<readonly RankedRow[]> {
  const passing = db.selectFrom('jobs').where((eb) => eb.and([...where]))
  const total = passing.select(({ fn }) => fn.countAll<number>().as('total')).$asScalar()
  const matches = passing.select(['jobs.id', total.as('total')]).limit(limit)
  return matches.orderBy('jobs.created_at', 'desc').orderBy('jobs.id', 'desc').execute()
}

/** Asks the index once for the ranking and for the total. */
async function closest(
  db: Kysely<Tables>,
  where: readonly Condition[],
  { userId, terms, isAny }: Matching,
  limit: number,
): Promise<readonly RankedRow[]> {
  const words = postingWords.rank(db, queryOf(terms), { owner: userId, isAny })
  return db
    .with(
      (name) => name('found').materialized(),
      () =>
        db
          .selectFrom(words.as('words'))
          // A cross join keeps its order: the index is read first, not all of the user's postings.
          .crossJoin('jobs')
          .whereRef('jobs.id', '=', 'words.row')
          .where((eb) => eb.and([...where]))
          .select(['jobs.id', 'words.distance']),
    )
    .selectFrom('found')
    .select(['id', sql<number>`(SELECT count(*) FROM found)`.as('total')])
    .orderBy('distance')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** SQLite's `lower` changes no other letters. */
function asciiLower(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

function like(text: string): string {
  return `%${asciiLower(text).replace(/[\\%_]/g, '\\$&')}%`
}
