import { sql, type Kysely } from 'kysely'
import { z } from 'zod'

import { skillNames } from '../skills/skills-in.ts'
import type { Tables } from '../tables.ts'

export const demandShape = z
  .object({
    top: z
      .array(
        z.object({
          skill: z.string(),
          matchCount: z.int().describe('In how many postings it is.'),
          required: z.int().describe('How many of them require it.'),
        }),
      )
      .describe('The skills that most postings name.'),
    gaps: z
      .array(
        z.object({
          skill: z.string(),
          mentionCount: z.int(),
          inResume: z.literal(false).nullable().describe('null: there is no default resume to look in.'),
        }),
      )
      .describe('The same, without those that are in the default resume.'),
    resume: z
      .object({ id: z.int(), name: z.string() })
      .exactOptional()
      .describe('The one that was looked in.'),
    note: z.string().exactOptional(),
  })
  .meta({ id: 'SkillDemand' })
export type SkillDemand = z.infer<typeof demandShape>

const NOTE =
  'There is no default resume: whether you have these skills is not known. Put one in with POST /jobs/resumes.'

/** No resume that is meant to be read is longer. */
const MAX_CHARACTERS = 60_000

/** What the postings that are not skipped ask for, and what of it the default resume does not show. */
export async function skillDemand(db: Kysely<Tables>, userId: string, limit: number): Promise<SkillDemand> {
  const resume = await db
    .selectFrom('resumes')
    .select(['id', 'name', 'content'])
    .where('user_id', '=', userId)
    .where('is_default', '=', 1)
    .executeTakeFirst()
  const own = skillNames((resume?.content ?? '').slice(0, MAX_CHARACTERS))
  // However many of the first ones are in the resume, enough that are not stand among so many.
  const counts = await countDemand(db, userId, limit + own.size)
  const gaps = counts.filter(({ skill }) => !own.has(skill)).slice(0, limit)
  return {
    top: counts.slice(0, limit).map(({ skill, count, required }) => ({ skill, matchCount: count, required })),
    gaps: gaps.map(({ skill, count }) => ({ skill, mentionCount: count, inResume: resume ? false : null })),
    ...(resume ? { resume: { id: resume.id, name: resume.name } } : { note: NOTE }),
  }
}

type DemandCount = { readonly skill: string; readonly count: number; readonly required: number }

async function countDemand(
  db: Kysely<Tables>,
  userId: string,
  limit: number,
): Promise<readonly DemandCount[]> {
  const query = sql<DemandCount>`
    SELECT skill, count(*) AS count, sum(need = 'required') AS required
    FROM jobs JOIN job_skills ON job_skills.job_id = jobs.id
    WHERE jobs.user_id = ${userId} AND jobs.status <> 'skipped'
    GROUP BY skill ORDER BY count DESC, required DESC, skill LIMIT ${limit}`
  return (await query.execute(db)).rows
}
