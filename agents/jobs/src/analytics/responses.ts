import { sql, type Kysely, type RawBuilder } from 'kysely'
import { z } from 'zod'

import { sources, type Source, type Tables } from '../tables.ts'
import { medianDays, rate, reached } from './reached.ts'

const answered = z.object({
  applied: z.int(),
  responded: z.int().describe('An interview, an offer, or a rejection that is not marked no_response.'),
  interviewed: z.int(),
  responseRate: z.number().min(0).max(1).nullable(),
  interviewRate: z.number().min(0).max(1).nullable(),
  medianDays: z.number().nullable().describe('From the application to the first response.'),
})

export const responsesShape = z
  .object({
    bySource: z.array(answered.extend({ source: z.enum(sources) })),
    byResume: z.array(
      answered.extend({
        resumeId: z.int().nullable().describe('null: it was not told which one was sent.'),
        resume: z.string().nullable(),
        tailoredId: z.int().nullable().describe('null: it was sent as it is.'),
        version: z.int().nullable(),
      }),
    ),
  })
  .meta({ id: 'Responses' })
export type Responses = z.infer<typeof responsesShape>

type BySource = { readonly source: Source }
type ByResume = { readonly resume_id: number | null; readonly tailored_id: number | null }
type GroupCount = {
  readonly applied: number
  readonly responded: number
  readonly interviewed: number
  /** Days, as JSON. */
  readonly waits: string
}

/**
 * Which applications are answered: by where the posting came from, and by what was sent. Where most were sent comes
 * first.
 */
export async function responses(db: Kysely<Tables>, userId: string, limit: number): Promise<Responses> {
  const bySource = await countGroups<BySource>(db, userId, {
    by: sql`source`,
    limit,
  })
  const byResume = await countGroups<ByResume>(db, userId, {
    by: sql`resume_id, tailored_id`,
    limit,
  })
  const names = await namesOf(db, userId, byResume)
  return { bySource: bySource.map(ofSource), byResume: byResume.map((row) => ofResume(row, names)) }
}

function ofSource(row: BySource & GroupCount): Responses['bySource'][number] {
  return { source: row.source, ...answeredOf(row) }
}

function ofResume(row: ByResume & GroupCount, { resumes, versions }: Names): Responses['byResume'][number] {
  const { resume_id: resumeId, tailored_id: tailoredId } = row
  return {
    resumeId,
    resume: resumeId === null ? null : (resumes.get(resumeId) ?? null),
    tailoredId,
    version: tailoredId === null ? null : (versions.get(tailoredId) ?? null),
    ...answeredOf(row),
  }
}

function answeredOf({ applied, responded, interviewed, waits }: GroupCount): z.infer<typeof answered> {
  return {
    applied,
    responded,
    interviewed,
    responseRate: rate(responded, applied),
    interviewRate: rate(interviewed, applied),
    medianDays: medianDays(JSON.parse(waits) as number[]),
  }
}

/** A time between two is only known where both were told. `~` is later than any. */
async function countGroups<Group>(
  db: Kysely<Tables>,
  userId: string,
  { by, limit }: { readonly by: RawBuilder<unknown>; readonly limit: number },
): Promise<readonly (Group & GroupCount)[]> {
  const query = sql<Group & GroupCount>`
    WITH ${reached(userId)},
    answers AS (
      SELECT ${by}, interview_at, sent_at,
        min(coalesce(interview_at, '~'), iif(sub_status IS 'no_response', '~', coalesce(rejected_at, '~'))) AS answer
      FROM reached WHERE applied_at IS NOT NULL
    )
    SELECT ${by}, count(*) AS applied, count(*) FILTER (WHERE answer <> '~') AS responded,
      count(interview_at) AS interviewed,
      json_group_array(julianday(answer) - julianday(sent_at)) FILTER (WHERE answer <> '~' AND sent_at <= answer) AS waits
    FROM answers GROUP BY ${by} ORDER BY applied DESC, ${by} LIMIT ${limit}`
  return (await query.execute(db)).rows
}

type Names = {
  readonly resumes: ReadonlyMap<number, string>
  readonly versions: ReadonlyMap<number, number>
}

async function namesOf(db: Kysely<Tables>, userId: string, rows: readonly ByResume[]): Promise<Names> {
  const ids = (pick: (row: ByResume) => number | null): number[] => rows.flatMap((row) => pick(row) ?? [])
  const resumes = await db
    .selectFrom('resumes')
    .select(['id', 'name'])
    .where('user_id', '=', userId)
    .where(
      'id',
      'in',
      ids((row) => row.resume_id),
    )
    .execute()
  const versions = await db
    .selectFrom('tailored_resumes')
    .select(['id', 'version'])
    .where('user_id', '=', userId)
    .where(
      'id',
      'in',
      ids((row) => row.tailored_id),
    )
    .execute()
  return {
    resumes: new Map(resumes.map(({ id, name }) => [id, name])),
    versions: new Map(versions.map(({ id, version }) => [id, version])),
  }
}
