import { z } from 'zod'

import { omitNulls } from '../omit-nulls.ts'
import { workplaces } from '../places/workplace.ts'
import { sources } from '../tables.ts'
import type { SummaryRow, WholeRow } from './rows.ts'
import { statuses } from './status.ts'

const salary = z
  .object({
    text: z.string().describe('As the posting says it.'),
    currency: z.string().exactOptional(),
    period: z.string().exactOptional(),
    min: z.number().exactOptional(),
    max: z.number().exactOptional(),
    months: z.number().exactOptional().describe('Months’ pay in a year, where it is said.'),
    annualMin: z.number().exactOptional(),
    annualMax: z.number().exactOptional(),
  })
  .readonly()

const contactShape = z
  .object({
    name: z.string(),
    role: z.string().exactOptional(),
    email: z.string().exactOptional(),
    phone: z.string().exactOptional(),
    url: z.string().exactOptional(),
    notes: z.string().exactOptional(),
  })
  .readonly()

/** A posting as its user sees it. Lists leave out the description, the notes and the contacts. */
export const postingShape = z
  .object({
    id: z.int(),
    title: z.string(),
    company: z.string(),
    location: z.string(),
    locations: z.array(z.string()).readonly(),
    url: z.string(),
    status: z.enum(statuses),
    subStatus: z.string().exactOptional(),
    tags: z.array(z.string()).readonly(),
    notes: z.string().exactOptional().describe('Lists leave it out.'),
    contacts: z.array(contactShape).readonly().exactOptional().describe('Lists leave them out.'),
    followUpAt: z.string().exactOptional(),
    resumeId: z.int().exactOptional().describe('The resume that was sent.'),
    tailoredId: z.int().exactOptional().describe('The tailored version that was sent.'),
    repostOf: z.int().exactOptional().describe('An earlier posting that is most likely the same opening.'),
    closedAt: z.string().exactOptional(),
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
    updatedAt: z.string(),
  })
  .readonly()
  .meta({ id: 'Posting' })
export type Posting = z.infer<typeof postingShape>
export type PostingSalary = z.infer<typeof salary>

/** A row as its user sees it in a list. Unknown fields are absent. */
export function summaryOf(row: SummaryRow): Posting {
  return {
    id: row.id,
    title: row.title,
    company: row.company,
    location: row.location ?? '',
    locations: JSON.parse(row.locations) as string[],
    url: row.url,
    source: row.source,
    status: row.status,
    starred: row.starred === 1,
    tags: JSON.parse(row.tags) as string[],
    remote: row.workplace === 'remote',
    firstSeenAt: row.first_seen_at,
    lastSeenAt: row.last_seen_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at ?? row.created_at,
    ...omitNulls({
      workplace: row.workplace,
      employmentType: row.employment_type,
      matchScore: row.score,
      salary: salaryOf(row),
      subStatus: row.sub_status,
      appliedAt: row.applied_at,
      followUpAt: row.follow_up_at,
      resumeId: row.resume_id,
      tailoredId: row.tailored_id,
      repostOf: row.repost_of,
      postedAt: row.posted_at,
      validThrough: row.valid_through,
      closedAt: row.closed_at,
    }),
  }
}

/** The same with its long texts. */
export function postingOf(row: WholeRow): Posting {
  return {
    ...summaryOf(row),
    ...omitNulls({ jdMarkdown: row.description, notes: row.notes }),
    contacts: JSON.parse(row.contacts) as z.infer<typeof contactShape>[],
  }
}

function salaryOf(row: SummaryRow): PostingSalary | null {
  if (row.salary_text === null) return null
  return {
    text: row.salary_text,
    ...omitNulls({
      currency: row.salary_currency,
      period: row.salary_period,
      months: row.salary_months,
      min: row.salary_min,
      max: row.salary_max,
      annualMin: row.salary_annual_min,
      annualMax: row.salary_annual_max,
    }),
  }
}
