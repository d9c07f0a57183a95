import { sql, type Kysely } from 'kysely'
import { z } from 'zod'

import { keyset } from 'dragoman/database'
import { statuses, type Status } from '../postings/status.ts'
import type { Tables } from '../tables.ts'

const nudge = z.object({
  id: z.int().describe("The posting's."),
  title: z.string(),
  company: z.string(),
  url: z.string(),
  status: z.enum(statuses),
  why: z.enum(['silent', 'follow-up']).describe('follow-up: the day that the user chose has come.'),
  lastAt: z.string().describe('When something last happened: a status, or a contact that the user noted.'),
  silentDays: z.int(),
  followUpAt: z.string().exactOptional(),
})

export const nudgesShape = z
  .object({
    total: z.int(),
    nudges: z.array(nudge).describe('Those that have been silent the longest first.'),
    nextCursor: z
      .string()
      .exactOptional()
      .describe('Where there are more: the `cursor` to ask for them with.'),
  })
  .meta({ id: 'Nudges' })
export type Nudges = z.infer<typeof nudgesShape>

export type NudgesQuery = {
  /** For how many days nothing has happened. */
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
  readonly silent: number
}

const pages = keyset('nudges', ['', 0], (row: Row) => [row.last_at, row.id])

/**
 * The applications that somebody should ask after: nothing has happened for as many days, or the day of the follow-up
 * has come and nobody was contacted since. One whose follow-up is yet to come is left alone until then, and so is an
 * offer: there it is the user's turn.
 */
export async function nudges(
  db: Kysely<Tables>,
  userId: string,
  query: NudgesQuery,
  now: Date,
): Promise<Nudges> {
  const before = new Date(now.getTime() - query.days * 86_400_000).toISOString()
  const time = now.toISOString()
  const waiting = sql`
    WITH waiting AS (
      SELECT jobs.id, title, company, url, status, follow_up_at,
        (SELECT max(at) FROM job_touches WHERE job_id = jobs.id) AS touched_at,
        max(
          coalesce(applied_at, ''),
          coalesce((SELECT max(changed_at) FROM job_status_history WHERE job_id = jobs.id), created_at)
        ) AS moved_at
      FROM jobs WHERE user_id = ${userId} AND status IN ('applied', 'interviewing')
    ),
    judged AS (
      SELECT *, max(moved_at, coalesce(touched_at, '')) AS last_at,
        follow_up_at <= ${time} AND coalesce(touched_at, '') < follow_up_at AS due
      FROM waiting
    ),
    silent AS (
      SELECT *, cast(julianday(${time}) - julianday(last_at) AS INTEGER) AS silent
      FROM judged WHERE due OR (last_at <= ${before} AND coalesce(follow_up_at, '') <= ${time})
    )`
  const key = pages.after(query.cursor)
  const after = key ? sql`(last_at, id) > (${sql.join(key)})` : sql`TRUE`
  const { rows } = await sql<Row>`
    ${waiting} SELECT * FROM silent WHERE ${after} ORDER BY last_at, id LIMIT ${query.limit + 1}`.execute(db)
  const [counted] = (
    await sql<{ total: number }>`${waiting} SELECT count(*) AS total FROM silent`.execute(db)
  ).rows
  const { rows: shown, ...next } = pages.page(rows, query.limit)
  return { total: counted?.total ?? 0, nudges: shown.map(nudgeOf), ...next }
}

function nudgeOf(row: Row): Nudges['nudges'][number] {
  return {
    id: row.id,
    title: row.title,
    company: row.company,
    url: row.url,
    status: row.status,
    why: row.due === 1 ? 'follow-up' : 'silent',
    lastAt: row.last_at,
    silentDays: Math.max(0, row.silent),
    ...(row.follow_up_at !== null && { followUpAt: row.follow_up_at }),
  }
}
