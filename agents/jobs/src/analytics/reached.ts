import { sql, type RawBuilder } from 'kysely'

/**
 * How far each posting of a user ever came, and when it first did, by its history: one that was rejected after an
 * interview was applied for and had one; whoever is in an interview, or has an offer, has applied, told or not. What
 * the user says of the day of the application (`applied_at`) counts more than when it was told.
 */
export function reached(userId: string): RawBuilder<unknown> {
  return sql`
    reached AS (
      SELECT id, source, resume_id, tailored_id, sub_status, created_at AS inbox_at,
        coalesce(applied_at, reached_applied_at) AS applied_at, coalesce(applied_at, told_applied_at) AS sent_at,
        reached_interview_at AS interview_at, reached_offer_at AS offer_at,
        reached_rejected_at AS rejected_at, reached_skipped_at AS skipped_at
      FROM jobs WHERE user_id = ${userId}
    )`
}

/** A part of a whole, from 0 to 1; of nothing there is none. */
export function rate(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 1000) / 1000
}

/** The one in the middle, to the tenth of a day. */
export function medianDays(days: readonly number[]): number | null {
  const sorted = days.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const lower = sorted[Math.ceil(middle) - 1]
  const upper = sorted[Math.floor(middle)]
  return lower === undefined || upper === undefined ? null : Math.round(((lower + upper) / 2) * 10) / 10
}
