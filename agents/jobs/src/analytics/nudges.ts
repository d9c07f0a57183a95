import { sql, type Kysely } from 'kysely'
import { z } from 'zod'

import { keyset } from 'dragoman/database'
import { statuses, type Status } from '../postings/status.ts'
import type { Tables } from '../tables.ts'

const nudge = z.object({
  id: z.int().describe("The posting's id."),
  title: z.string(),
  company: z.string(),
  url: z.string(),
  status: z.enum(statuses),
  why: z.enum(['silent', 'follow-up']).describe('follow-up: the day that the user set has come.'),
  lastAt: z.string().describe('The time of the last status or contact.'),
  silentDays: z.int(),
  followUpAt: z.string().exactOptional(),
})

export const nudgesShape = z
  .object({
    total: z.int(),
    nudges: z.array(nudge).describe('The longest silent first.'),
    nextCursor: z.string().exactOptional().describe('The `cursor` of the next page, if there is one.'),
  })
  .meta({ id: 'Nudges' })
export type Nudges = z.infer<typeof nudgesShape>

export type NudgesQuery = {
  /** The days without a status or a contact. */
  readonly days: number
  readonly limit: number
  readonly cursor?: string | undefined
}

type Row = {
  readonly id: number
  readonly title: string
  readonly company: string
  readonly url: string
  readonly status: Status
  readonly follow_up_at: string | null
  readonly last_at: string
  readonly due: 0 | 1
}

const DAY_MS = 86_400_000

const pages = keyset('nudges', ['', 0], (row: Row) => [row.last_at, row.id])

/**
 * Applications to ask about: nothing has happened for `days` days, or the day of the follow-up has come without a
 * contact since. Before that day, and after an offer, there is no nudge.
 */
export async function nudges(
  db: Kysely<Tables>,
  userId: string,
  query: NudgesQuery,
  now: Date,
): Promise<Nudges> {
  const before = new Date(now.getTime() - query.days * DAY_MS).toISOString()
  const time = now.toISOString()
  const waiting = sql`
    WITH applications AS (
      SELECT jobs.id, title, company, url, status, follow_up_at,
        coalesce(applied_at, '') AS applied_at,
        coalesce((SELECT max(changed_at) FROM job_status_history WHERE job_id = jobs.id), created_at) AS moved_at,
        coalesce((SELECT max(at) FROM job_touches WHERE job_id = jobs.id), '') AS touched_at
      FROM jobs WHERE user_id = ${userId} AND status IN ('applied', 'interviewing')
    ),
    waiting AS (
      SELECT *, CASE
        WHEN touched_at > moved_at AND touched_at > applied_at THEN touched_at
        WHEN moved_at > applied_at THEN moved_at
        ELSE applied_at
      END AS last_at,
      CASE WHEN follow_up_at <= ${time} AND touched_at < follow_up_at THEN 1 ELSE 0 END AS due
      FROM applications
    ),
    silent AS (
      SELECT * FROM waiting WHERE due = 1 OR (last_at <= ${before} AND coalesce(follow_up_at, '') <= ${time})
    )`
  const key = pages.after(query.cursor)
  const after = key ? sql`(last_at, id) > (${sql.join(key)})` : sql`TRUE`
  const { rows } = await sql<Row>`
    ${waiting} SELECT * FROM silent WHERE ${after} ORDER BY last_at, id LIMIT ${query.limit + 1}`.execute(db)
  const [counted] = (
    await sql<{ total: number }>`${waiting} SELECT count(*) AS total FROM silent`.execute(db)
  ).rows
  const { rows: shown, ...next } = pages.page(rows, query.limit)
  return { total: counted?.total ?? 0, nudges: shown.map((row) => nudgeOf(row, now)), ...next }
}

function nudgeOf(row: Row, now: Date): Nudges['nudges'][number] {
  return {
    id: row.id,
    title: row.title,
    company: row.company,
    url: row.url,
    status: row.status,
    why: row.due === 1 ? 'follow-up' : 'silent',
    lastAt: row.last_at,
    silentDays: Math.max(0, Math.floor((now.getTime() - Date.parse(row.last_at)) / DAY_MS)),
    ...(row.follow_up_at !== null && { followUpAt: row.follow_up_at }),
  }
}
