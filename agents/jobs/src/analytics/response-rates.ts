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
  /** Days, as JSON. */
  readonly waits: string
}
type SourceCount = GroupCount & { readonly source: Source }
type ResumeCount = GroupCount & Pick<ResponseRates['byResume'][number], keyof typeof resumeColumns>

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
  const bySource = countGroups<SourceCount>(userId, sql`source`, sql`source`)
  const columns = Object.entries(resumeColumns).map(([name, value]) => sql`${value} AS ${sql.ref(name)}`)
  const byResume = countGroups<ResumeCount>(userId, sql`resume_id, tailored_id`, sql.join(columns))
  const sourceRows = await sql<SourceCount>`${bySource} LIMIT ${limit}`.execute(db)
  const resumeRows = await sql<ResumeCount>`${byResume} LIMIT ${limit}`.execute(db)
  return { bySource: sourceRows.rows.map(toAnswered), byResume: resumeRows.rows.map(toAnswered) }
}

function toAnswered<R extends GroupCount>({ waits, ...row }: R) {
  return {
    ...row,
    responseRate: rate(row.responded, row.applied),
    interviewRate: rate(row.interviewed, row.applied),
    medianDays: medianDays(JSON.parse(waits) as number[]),
  }
}

/** A wait is known only if both times are. `~` is later than any time. */
function countGroups<R extends GroupCount>(
  userId: string,
  by: RawBuilder<unknown>,
  columns: RawBuilder<unknown>,
): RawBuilder<R> {
  return sql<R>`
    WITH ${stageTimes(userId)},
    answers AS (
      SELECT source, resume_id, tailored_id, interview_at, sent_at, min(
        coalesce(interview_at, '~'),
        iif(sub_status IS 'no_response', '~', coalesce(rejected_at, '~'))
      ) AS answer
      FROM reached WHERE applied_at IS NOT NULL
    )
    SELECT ${columns}, count(*) AS applied,
      count(*) FILTER (WHERE answer <> '~') AS responded,
      count(interview_at) AS interviewed,
      json_group_array(julianday(answer) - julianday(sent_at))
        FILTER (WHERE answer <> '~' AND sent_at <= answer) AS waits
    FROM answers GROUP BY ${by} ORDER BY applied DESC, ${by}`
}
