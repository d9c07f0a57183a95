import { sql, type Kysely, type RawBuilder } from 'kysely'
import { z } from 'zod'

import { sources, type Source, type Tables } from '../tables.ts'
import { medianDays, rate, stageTimes } from './stage-times.ts'

const answered = z.object({
  applied: z.int(),
  responded: z.int().describe('An interview, an offer, or a rejection that is not marked no_response.'),
  interviewed: z.int(),
  responseRate: z.number().min(0).max(1).nullable(),
  interviewRate: z.number().min(0).max(1).nullable(),
  medianDays: z.number().nullable().describe('From the application to the first response.'),
})

export const responseRatesShape = z
  .object({
    bySource: z.array(answered.extend({ source: z.enum(sources) })),
    byResume: z.array(
      answered.extend({
        resumeId: z.int().nullable().describe('null: it is not known which one was sent.'),
        resume: z.string().nullable(),
        tailoredId: z.int().nullable().describe('null: the resume itself was sent.'),
        version: z.int().nullable(),
      }),
    ),
  })
  .meta({ id: 'Responses' })
export type ResponseRates = z.infer<typeof responseRatesShape>

type GroupCount = {
  readonly applied: number
  readonly responded: number
  readonly interviewed: number
  /** When each was sent and answered: `sent/answered`, separated by spaces. */
  readonly waits: string | null
}
type SourceCount = GroupCount & { readonly source: Source }
type ResumeCount = GroupCount & Pick<ResponseRates['byResume'][number], keyof typeof resumeColumns>

const DAY_MS = 86_400_000

const resumeColumns = {
  resumeId: sql`resume_id`,
  resume: sql`(SELECT name FROM resumes WHERE id = resume_id)`,
  tailoredId: sql`tailored_id`,
  version: sql`(SELECT version FROM tailored_resumes WHERE id = tailored_id)`,
}

/** The applications that were answered, by source and by what was sent. The most used comes first. */
export async function responseRates(
  db: Kysely<Tables>,
  userId: string,
  limit: number,
): Promise<ResponseRates> {
  const bySource = countGroups<SourceCount>(userId, [sql`source`], sql`source`)
  const columns = Object.entries(resumeColumns).map(([name, value]) => sql`${value} AS ${sql.ref(name)}`)
  const byResume = countGroups<ResumeCount>(userId, [sql`resume_id`, sql`tailored_id`], sql.join(columns))
  const sourceRows = await sql<SourceCount>`${bySource} LIMIT ${limit}`.execute(db)
  const resumeRows = await sql<ResumeCount>`${byResume} LIMIT ${limit}`.execute(db)
  return { bySource: sourceRows.rows.map(toAnswered), byResume: resumeRows.rows.map(toAnswered) }
}

function toAnswered<R extends GroupCount>({ waits, ...row }: R) {
  return {
    ...row,
    responseRate: rate(row.responded, row.applied),
    interviewRate: rate(row.interviewed, row.applied),
    medianDays: medianDays((waits?.split(' ') ?? []).map(toDays)),
  }
}

function toDays(wait: string): number {
  const [sentAt = '', answeredAt = ''] = wait.split('/')
  return (Date.parse(answeredAt) - Date.parse(sentAt)) / DAY_MS
}

/** A wait is known only if both times are. */
function countGroups<R extends GroupCount>(
  userId: string,
  by: readonly RawBuilder<unknown>[],
  columns: RawBuilder<unknown>,
): RawBuilder<R> {
  const inOrder = by.map((column) => sql`${column} NULLS FIRST`)
  return sql<R>`
    WITH ${stageTimes(userId)},
    applications AS (
      SELECT *, CASE WHEN sub_status = 'no_response' THEN NULL ELSE rejected_at END AS refused_at
      FROM reached WHERE applied_at IS NOT NULL
    ),
    answers AS (
      SELECT source, resume_id, tailored_id, interview_at, sent_at,
        CASE WHEN refused_at < interview_at THEN refused_at ELSE coalesce(interview_at, refused_at) END AS answered_at
      FROM applications
    )
    SELECT ${columns}, count(*) AS applied, count(answered_at) AS responded, count(interview_at) AS interviewed,
      string_agg(sent_at || '/' || answered_at, ' ') FILTER (WHERE sent_at <= answered_at) AS waits
    FROM answers GROUP BY ${sql.join(by)} ORDER BY applied DESC, ${sql.join(inOrder)}`
}
