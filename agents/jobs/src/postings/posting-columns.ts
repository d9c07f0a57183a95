import type { Selectable } from 'kysely'

import type { PagePosting } from '../pages/posting-page.ts'
import { placesIn } from '../places/places-in.ts'
import { workplaceIn } from '../places/workplace.ts'
import { statedSalary } from '../salary/read-salary.ts'
import type { Salary } from '../salary/salary.ts'
import type { JobRow, Source } from '../tables.ts'

/** A posting that a user adds by hand. */
export type NewPosting = {
  readonly title: string
  readonly company: string
  readonly url: URL
  readonly location?: string | undefined
  readonly source?: Source | undefined
  /** In the posting's own words. */
  readonly salary?: string | undefined
  readonly description?: string | undefined
}

export type Row = Selectable<JobRow>

/** The columns that describe the posting itself. */
export type PostingColumns = ReturnType<typeof columnsOfPage>

/** The columns of a posting that was added by hand. */
export function columnsOfNewPosting({
  title,
  company,
  location = '',
  source,
  salary,
  description,
}: NewPosting): PostingColumns {
  return columnsOfPage({
    title,
    company,
    location,
    workplace: workplaceIn(`${title} ${location}`),
    source: source ?? 'manual',
    employmentType: null,
    salary: salary ? statedSalary(salary) : null,
    description: description ?? '',
    postedAt: null,
    validThrough: null,
  })
}

/** The columns of a posting on a page. */
export function columnsOfPage(page: PagePosting) {
  return {
    title: page.title,
    company: page.company,
    ...placeColumns(page.location),
    workplace: page.workplace,
    source: page.source,
    employment_type: page.employmentType,
    ...salaryColumns(page.salary),
    description: page.description || null,
    posted_at: page.postedAt,
    valid_through: page.validThrough,
  }
}

function placeColumns(location: string) {
  return { location: location || null, locations: JSON.stringify(placesIn(location)) }
}

/** The columns that a page fills or updates: the empty ones, and the description. */
export function enriched(row: Row, page: PagePosting): Partial<PostingColumns> {
  return {
    ...(row.location === null && placeColumns(page.location)),
    workplace: row.workplace ?? page.workplace,
    employment_type: row.employment_type ?? page.employmentType,
    ...(row.salary_text === null && salaryColumns(page.salary)),
    description: newerDescription(row.description, page.description),
    posted_at: row.posted_at ?? page.postedAt,
    valid_through: row.valid_through ?? page.validThrough,
  }
}

/** The description of the page, unless it is so short that it may be the notice of a closed posting. */
function newerDescription(current: string | null, fresh: string): string | null {
  return current !== null && fresh.length * 2 < current.length ? current : fresh || null
}

/** The columns of pay. */
export function salaryColumns(salary: Salary | null) {
  return {
    salary_text: salary?.text ?? null,
    salary_min: salary?.min ?? null,
    salary_max: salary?.max ?? null,
    salary_currency: salary?.currency ?? null,
    salary_period: salary?.period ?? null,
    salary_months: salary?.months ?? null,
    salary_annual_min: salary?.annualMin ?? null,
    salary_annual_max: salary?.annualMax ?? null,
  }
}
