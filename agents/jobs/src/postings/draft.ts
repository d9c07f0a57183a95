import type { Insertable, Selectable } from 'kysely'

import type { PagePosting } from '../pages/posting-page.ts'
import { statedSalary } from '../salary/read-salary.ts'
import type { Salary } from '../salary/salary.ts'
import type { JobRow, Source } from '../tables.ts'
import { placesIn } from '../places/places-in.ts'
import { workplaceIn } from '../places/workplace.ts'

/** What somebody writes down of a posting. */
export type NewPosting = {
  readonly title: string
  readonly company: string
  readonly url: URL
  readonly location?: string | undefined
  readonly source?: Source | undefined
  /** In its own words. */
  readonly salary?: string | undefined
  readonly description?: string | undefined
}

export type Row = Selectable<JobRow>

/** What a row says of the posting itself. */
export type Draft = Pick<
  Insertable<JobRow>,
  | 'title'
  | 'company'
  | 'location'
  | 'locations'
  | 'workplace'
  | 'source'
  | 'employment_type'
  | 'description'
  | 'posted_at'
  | 'valid_through'
  | keyof SalaryColumns
>

type SalaryColumns = Pick<
  Row,
  | 'salary_text'
  | 'salary_min'
  | 'salary_max'
  | 'salary_currency'
  | 'salary_period'
  | 'salary_months'
  | 'salary_annual_min'
  | 'salary_annual_max'
>

/** The row of a posting that was written down. */
export function draftOf({ title, company, location, source, salary, description }: NewPosting): Draft {
  return {
    title,
    company,
    location: location || null,
    locations: JSON.stringify(placesIn(location ?? '')),
    workplace: workplaceIn(`${title} ${location ?? ''}`),
    source: source ?? 'manual',
    employment_type: null,
    ...salaryColumns(salary ? statedSalary(salary) : null),
    description: description || null,
    posted_at: null,
    valid_through: null,
  }
}

/** The row of a posting that stands on a page. */
export function draftOfPage(page: PagePosting): Draft {
  return {
    title: page.title,
    company: page.company,
    location: page.location || null,
    locations: JSON.stringify(placesIn(page.location)),
    workplace: page.workplace,
    source: page.source,
    employment_type: page.employmentType,
    ...salaryColumns(page.salary),
    description: page.description || null,
    posted_at: page.postedAt,
    valid_through: page.validThrough,
  }
}

/** What a page tells that a row does not know yet. What the row knows stays, but for the text. */
export function enriched(row: Row, page: PagePosting): Partial<Draft> {
  return {
    ...(row.location === null && {
      location: page.location || null,
      locations: JSON.stringify(placesIn(page.location)),
    }),
    workplace: row.workplace ?? page.workplace,
    employment_type: row.employment_type ?? page.employmentType,
    ...(row.salary_text === null && salaryColumns(page.salary)),
    description: fuller(row.description, page.description),
    posted_at: row.posted_at ?? page.postedAt,
    valid_through: row.valid_through ?? page.validThrough,
  }
}

/** The text as it is now; but not the notice that stands there once a posting is closed. */
function fuller(current: string | null, fresh: string): string | null {
  return current !== null && fresh.length * 2 < current.length ? current : fresh || null
}

/** Pay as the columns have it. */
export function salaryColumns(salary: Salary | null): SalaryColumns {
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
