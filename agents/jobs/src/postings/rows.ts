import type { Selectable } from 'kysely'

import type { JobRow } from '../tables.ts'
import { repostOf } from './repost.ts'

/** The columns of a posting in a list: all but its long texts. */
const summaryColumns = [
  ...(['id', 'title', 'company', 'location', 'locations', 'workplace', 'url', 'source'] as const),
  ...(['status', 'sub_status', 'starred', 'score', 'tags', 'employment_type'] as const),
  ...(['salary_text', 'salary_min', 'salary_max', 'salary_currency', 'salary_period'] as const),
  ...(['salary_months', 'salary_annual_min', 'salary_annual_max'] as const),
  ...(['resume_id', 'tailored_id', 'follow_up_at', 'applied_at', 'posted_at', 'valid_through'] as const),
  ...(['closed_at', 'first_seen_at', 'last_seen_at', 'created_at', 'updated_at'] as const),
] as const

export type SummaryRow = Pick<Selectable<JobRow>, (typeof summaryColumns)[number]> & {
  readonly repost_of: number | null
}
export type WholeRow = SummaryRow & Pick<Selectable<JobRow>, 'description' | 'notes' | 'contacts'>

/** What `select` takes for a list, and for a single posting. */
export const summary = () => [...summaryColumns, repostOf().as('repost_of')] as const
export const whole = () => [...summary(), 'description', 'notes', 'contacts'] as const
