import type { Selectable } from 'kysely'
import { z } from 'zod'

import { statuses } from './status.ts'
import { sources, type JobRow } from './tables.ts'
import { workplaces } from './workplace.ts'

const salary = z
  .object({
    text: z.string().describe('As the posting says it.'),
    currency: z.string().exactOptional(),
    period: z.string().exactOptional(),
    min: z.number().exactOptional(),
    max: z.number().exactOptional(),
    annualMin: z.number().exactOptional(),
    annualMax: z.number().exactOptional(),
  })
  .readonly()

/** A posting as its user sees it. Lists leave out the description. */
export const postingShape = z
  .object({
    id: z.int(),
    title: z.string(),
    company: z.string(),
    location: z.string(),
    url: z.string(),
    status: z.enum(statuses),
    matchScore: z.number().exactOptional(),
    source: z.enum(sources),
    jdMarkdown: z.string().exactOptional().describe('The description; lists leave it out.'),
    createdAt: z.string(),
    appliedAt: z.string().exactOptional(),
    starred: z.boolean(),
    remote: z.boolean(),
    workplace: z.enum(workplaces).exactOptional(),
    employmentType: z.string().exactOptional(),
    salary: salary.exactOptional(),
    postedAt: z.string().exactOptional(),
    validThrough: z.string().exactOptional(),
    firstSeenAt: z.string(),
    lastSeenAt: z.string(),
  })
  .readonly()
  .meta({ id: 'Posting' })
export type Posting = z.infer<typeof postingShape>
export type PostingSalary = z.infer<typeof salary>

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
