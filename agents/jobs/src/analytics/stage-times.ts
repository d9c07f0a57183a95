import { sql, type RawBuilder } from 'kysely'

/**
 * When each posting of a user first came to each stage, by its history. A later stage includes the earlier ones: an
 * interview or an offer implies an application. The user's day of the application (`applied_at`) wins over the day on
 * which the status was set.
 */
export function stageTimes(userId: string): RawBuilder<unknown> {
  return sql`
    reached AS (
      SELECT id, source, resume_id, tailored_id, sub_status, created_at AS inbox_at,
        coalesce(applied_at, reached_applied_at) AS applied_at, coalesce(applied_at, told_applied_at) AS sent_at,
        reached_interview_at AS interview_at, reached_offer_at AS offer_at,
        reached_rejected_at AS rejected_at, reached_skipped_at AS skipped_at
      FROM jobs WHERE user_id = ${userId}
    )`
}

/** A part of a whole, from 0 to 1; null for an empty whole. */
export function rate(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 1000) / 1000
}

/** The median, to the tenth of a day. */
export function medianDays(days: readonly number[]): number | null {
  const sorted = days.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const lower = sorted[Math.ceil(middle) - 1]
  const upper = sorted[Math.floor(middle)]
  return lower === undefined || upper === undefined ? null : Math.round(((lower + upper) / 2) * 10) / 10
}
