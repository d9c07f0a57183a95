import type { Generated } from 'kysely'

import type { Salary } from './salary.ts'
import type { Status } from './status.ts'
import type { Workplace } from './workplace.ts'

/** Where a posting came from. */
export const sources = ['linkedin', 'indeed', 'email', 'manual', 'web'] as const
export type Source = (typeof sources)[number]

/** One posting of one user. Times are ISO strings in UTC. */
export type JobRow = {
  readonly id: Generated<number>
  readonly user_id: string
  readonly title: string
  readonly company: string
  readonly location: string | null
  readonly workplace: Workplace | null
  readonly url: string
  readonly url_hash: string
  readonly status: Status
  readonly source: Source
  readonly employment_type: string | null
  readonly salary_text: string | null
  readonly salary_min: number | null
  readonly salary_max: number | null
  readonly salary_currency: string | null
  readonly salary_period: Salary['period']
  readonly salary_annual_min: number | null
  readonly salary_annual_max: number | null
  readonly description: string | null
  readonly posted_at: string | null
  readonly valid_through: string | null
  readonly starred: Generated<0 | 1>
  readonly score: Generated<number | null>
  readonly applied_at: Generated<string | null>
  readonly first_seen_at: string
  readonly last_seen_at: string
  readonly created_at: string
}

export type Tables = {
  readonly jobs: JobRow
  readonly job_status_history: {
    readonly id: Generated<number>
    readonly job_id: number
    readonly old_status: Status | null
    readonly new_status: Status
    readonly changed_at: string
  }
  /** The index of words; `rowid` is the posting's id. */
  readonly job_words: {
    readonly rowid: number
    readonly title: string
    readonly company: string
    readonly location: string
    readonly description: string
  }
}
