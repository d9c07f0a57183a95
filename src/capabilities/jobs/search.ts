import { sql, type Expression, type Kysely, type Selectable, type SqlBool } from 'kysely'

import type { Status } from './status.ts'
import type { JobRow, Tables } from './tables.ts'
import type { Term, Words } from './words.ts'

/** What postings must be like. What is absent does not matter. */
export type Filters = {
  readonly status?: Status | undefined
  readonly starred?: boolean | undefined
  readonly location?: string | undefined
  readonly company?: string | undefined
  /** True: remote ones; false: the others. */
  readonly remote?: boolean | undefined
  /** A year's pay, in whatever currency the posting states. Postings that state none do not match. */
  readonly minSalary?: number | undefined
  /** An ISO time. A posting that does not say when it was posted counts from when it was first seen. */
  readonly postedSince?: string | undefined
}

export type Search = Filters & { readonly keywords?: string | undefined; readonly limit: number }

/** `matched` says whether the postings have all that was asked for, or, where none has, any of it. */
export type Found = {
  readonly total: number
  readonly matched: 'all' | 'any'
  readonly terms: readonly Term[]
  readonly rows: readonly Selectable<JobRow>[]
}

type Condition = Expression<SqlBool>

/** A word in a title says more than one in the text. In the order of the index's columns. */
const WEIGHTS = [10, 4, 4, 1] as const

/** Finds a user's postings by their words, the best first. Without words: those that pass the filters, the newest first. */
export async function search(
  db: Kysely<Tables>,
  words: Words,
  userId: string,
  { keywords = '', limit, ...filters }: Search,
): Promise<Found> {
  const terms = words.terms(keywords)
  const passing = [ofUser(userId), ...conditions(words, filters)]
  const all = await ranked(db, passing, matching(terms, 'AND'), limit)
  if (all.total > 0 || terms.length < 2) return { ...all, matched: 'all', terms }
  return { ...(await ranked(db, passing, matching(terms, 'OR'), limit)), matched: 'any', terms }
}

/** Whose posting it is. */
export function ofUser(userId: string): Condition {
  return sql<SqlBool>`jobs.user_id = ${userId}`
}

/** The conditions that filters stand for. */
export function conditions(words: Words, filters: Filters): readonly Condition[] {
  const { status, starred, location, company, remote, minSalary, postedSince } = filters
  const found: Condition[] = []
  if (status !== undefined) found.push(sql<SqlBool>`jobs.status = ${status}`)
  if (starred !== undefined) found.push(sql<SqlBool>`jobs.starred = ${starred ? 1 : 0}`)
  if (location !== undefined) found.push(...places(words, location))
  if (company !== undefined) found.push(sql<SqlBool>`jobs.company LIKE ${like(company.trim())} ESCAPE '\\'`)
  if (remote === true) found.push(sql<SqlBool>`jobs.workplace = 'remote'`)
  if (remote === false) found.push(sql<SqlBool>`jobs.workplace IS NOT 'remote'`)
  if (minSalary !== undefined) {
    found.push(sql<SqlBool>`coalesce(jobs.salary_annual_max, jobs.salary_annual_min) >= ${minSalary}`)
  }
  if (postedSince !== undefined) {
    found.push(sql<SqlBool>`coalesce(jobs.posted_at, jobs.first_seen_at) >= ${postedSince}`)
  }
  return found
}

/** That a posting has in it all that is looked for, each in any of its spellings and in either language. */
export function holding(terms: readonly Term[]): readonly Condition[] {
  return terms.length === 0 ? [] : [indexed(matching(terms, 'AND'))]
}

/** What follows a comma only says where the place lies, and postings often leave it out: `San Francisco, CA`. */
function places(words: Words, location: string): readonly Condition[] {
  const terms = words.terms(location.split(/[,，;；]/)[0] ?? '')
  return terms.length === 0 ? [] : [indexed(`location : (${matching(terms, 'AND')})`)]
}

function matching(terms: readonly Term[], operator: 'AND' | 'OR'): string {
  return terms.map(({ phrases }) => `(${phrases.join(' OR ')})`).join(` ${operator} `)
}

function indexed(match: string): Condition {
  return sql<SqlBool>`jobs.id IN (SELECT rowid FROM job_words WHERE job_words MATCH ${match})`
}

async function ranked(
  db: Kysely<Tables>,
  where: readonly Condition[],
  match: string,
  limit: number,
): Promise<{ total: number; rows: readonly Selectable<JobRow>[] }> {
  const passing = db
    .selectFrom('jobs')
    .where((eb) => eb.and([...where, ...(match === '' ? [] : [indexed(match)])]))
  const { total } = await passing
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const chosen = passing
    .selectAll('jobs')
    .orderBy('jobs.created_at', 'desc')
    .orderBy('jobs.id', 'desc')
    .limit(limit)
  if (match === '') return { total, rows: await chosen.execute() }

  const scores = sql<{ posting: number; score: number }>`(
    SELECT rowid AS posting, bm25(job_words, ${sql.join(WEIGHTS.map((weight) => sql.lit(weight)))}) AS score
    FROM job_words WHERE job_words MATCH ${match})`.as('scores')
  const best = chosen.clearOrderBy().innerJoin(scores, 'scores.posting', 'jobs.id')
  return { total, rows: await best.orderBy('scores.score').orderBy('jobs.id', 'desc').execute() }
}

function like(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}
