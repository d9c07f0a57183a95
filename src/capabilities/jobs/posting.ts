import type { Selectable } from 'kysely'

import type { Status } from './status.ts'
import type { JobRow, Source } from './tables.ts'
import type { Workplace } from './workplace.ts'

/** A posting as its user sees it. Lists leave out the description. */
export type Posting = {
  readonly id: number
  readonly title: string
  readonly company: string
  readonly location: string
  readonly url: string
  readonly status: Status
  readonly matchScore?: number
  readonly source: Source
  readonly jdMarkdown?: string
  readonly createdAt: string
  readonly appliedAt?: string
  readonly starred: boolean
  readonly remote: boolean
  readonly workplace?: Workplace
  readonly employmentType?: string
  readonly salary?: PostingSalary
  readonly postedAt?: string
  readonly validThrough?: string
  readonly firstSeenAt: string
  readonly lastSeenAt: string
}

export type PostingSalary = {
  readonly text: string
  readonly currency?: string
  readonly period?: string
  readonly min?: number
  readonly max?: number
  readonly annualMin?: number
  readonly annualMax?: number
}

/** Makes of a row what its user sees: absent is what is not known. */
export function postingOf(row: Selectable<JobRow>): Posting {
  return {
    id: row.id,
    title: row.title,
    company: row.company,
    location: row.location ?? '',
    url: row.url,
    status: row.status,
    ...(row.score !== null && { matchScore: row.score }),
    source: row.source,
    ...(row.description !== null && { jdMarkdown: row.description }),
    createdAt: row.created_at,
    ...(row.applied_at !== null && { appliedAt: row.applied_at }),
    starred: row.starred === 1,
    remote: row.workplace === 'remote',
    ...(row.workplace !== null && { workplace: row.workplace }),
    ...(row.employment_type !== null && { employmentType: row.employment_type }),
    ...(row.salary_text !== null && { salary: salaryOf(row, row.salary_text) }),
    ...(row.posted_at !== null && { postedAt: row.posted_at }),
    ...(row.valid_through !== null && { validThrough: row.valid_through }),
    firstSeenAt: row.first_seen_at,
    lastSeenAt: row.last_seen_at,
  }
}

/** The same without its description, for lists. */
export function summaryOf(row: Selectable<JobRow>): Posting {
  return postingOf({ ...row, description: null })
}

function salaryOf(row: Selectable<JobRow>, text: string): PostingSalary {
  return {
    text,
    ...(row.salary_currency !== null && { currency: row.salary_currency }),
    ...(row.salary_period !== null && { period: row.salary_period }),
    ...(row.salary_min !== null && { min: row.salary_min }),
    ...(row.salary_max !== null && { max: row.salary_max }),
    ...(row.salary_annual_min !== null && { annualMin: row.salary_annual_min }),
    ...(row.salary_annual_max !== null && { annualMax: row.salary_annual_max }),
  }
}
