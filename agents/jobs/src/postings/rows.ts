import type { Selectable } from 'kysely'

import type { JobRow } from '../tables.ts'
import { repostOf } from './repost.ts'

/** What a list says of a posting: all but its long texts. */
export const summaryColumns = [
  ...([
    'id',
    'title',
    'company',
    'location',
    'locations',
    'workplace',
    'url',
    'status',
    'sub_status',
  ] as const),
  ...(['source', 'employment_type', 'starred', 'score', 'tags', 'follow_up_at', 'applied_at'] as const),
  ...([
    'salary_text',
    'salary_min',
    'salary_max',
    'salary_currency',
    'salary_period',
    'salary_months',
  ] as const),
  ...(['salary_annual_min', 'salary_annual_max', 'resume_id', 'tailored_id', 'posted_at'] as const),
  ...(['valid_through', 'closed_at', 'first_seen_at', 'last_seen_at', 'created_at', 'updated_at'] as const),
] as const

export type SummaryRow = Pick<Selectable<JobRow>, (typeof summaryColumns)[number]> & {
  readonly repost_of: number | null
}
export type WholeRow = SummaryRow & Pick<Selectable<JobRow>, 'description' | 'notes' | 'contacts'>

/** In the order in which they are asked for by `select`. */
export const summary = () => [...summaryColumns, repostOf().as('repost_of')] as const
export const whole = () => [...summary(), 'description', 'notes', 'contacts'] as const
