import { sql, type Kysely } from 'kysely'
import { z } from 'zod'

import { fairQueue, nextTurn } from 'dragoman/async'
import { skillNames } from '../skills/skills-in.ts'
import type { Tables } from '../tables.ts'

export const demandShape = z
  .object({
    top: z
      .array(
        z.object({
          skill: z.string(),
          matchCount: z.int().describe('The postings with this skill.'),
          required: z.int().describe('The postings that require it.'),
        }),
      )
      .describe('The skills that most postings name.'),
    gaps: z
      .array(
        z.object({
          skill: z.string(),
          mentionCount: z.int(),
          inResume: z.literal(false).nullable().describe('null: there is no default resume.'),
        }),
      )
      .describe('The same, without those in the default resume.'),
    resume: z.object({ id: z.int(), name: z.string() }).exactOptional().describe('The default resume.'),
    note: z.string().exactOptional(),
  })
  .meta({ id: 'SkillDemand' })
export type SkillDemand = z.infer<typeof demandShape>

const NOTE = 'There is no default resume, so your skills are not known. Add one with POST /jobs/resumes.'

/** More than any resume has. */
const MAX_CHARACTERS = 60_000

/** The skills in the postings that are not skipped, and the ones that the default resume lacks. */
export async function skillDemand(db: Kysely<Tables>, userId: string, limit: number): Promise<SkillDemand> {
  const resume = await db
    .selectFrom('resumes')
    .select(['id', 'name', 'content'])
    .where('user_id', '=', userId)
    .where('is_default', '=', 1)
    .executeTakeFirst()
  const own = skillNames((resume?.content ?? '').slice(0, MAX_CHARACTERS))
  // Among this many, at least `limit` are not in the resume.
  const counts = await countDemand(db, userId, limit + own.size)
  const gaps = counts.filter(({ skill }) => !own.has(skill)).slice(0, limit)
  return {
    top: counts.slice(0, limit).map(({ skill, count, required }) => ({ skill, matchCount: count, required })),
    gaps: gaps.map(({ skill, count }) => ({ skill, mentionCount: count, inResume: resume ? false : null })),
    ...(resume ? { resume: { id: resume.id, name: resume.name } } : { note: NOTE }),
  }
}

type DemandCount = { readonly skill: string; readonly count: number; readonly required: number }

/** The postings that are counted in one piece: it takes a few ms. */
const SLICE_POSTINGS = 100
/** Users take turns, and others have as much time in between. */
const slices = fairQueue({ rest: 1 })

async function countDemand(
  db: Kysely<Tables>,
  userId: string,
  limit: number,
): Promise<readonly DemandCount[]> {
  const all = new Map<string, DemandCount>()
  for (let last = 0; ;) {
    const ids = await slices.run(userId, async () => {
      const slice = await idsAfter(db, userId, last)
      for (const { skill, count, required } of await countIn(db, slice)) {
        const before = all.get(skill) ?? { count: 0, required: 0 }
        all.set(skill, { skill, count: before.count + count, required: before.required + required })
      }
      return slice
    })
    last = ids.at(-1) ?? last
    if (ids.length < SLICE_POSTINGS) break
    await nextTurn()
  }
  return [...all.values()]
    .toSorted((a, b) => b.count - a.count || b.required - a.required || (a.skill < b.skill ? -1 : 1))
    .slice(0, limit)
}

async function idsAfter(db: Kysely<Tables>, userId: string, last: number): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('jobs')
    .select('id')
    .where('user_id', '=', userId)
    .where('id', '>', last)
    .where('status', '<>', 'skipped')
    .orderBy('id')
    .limit(SLICE_POSTINGS)
    .execute()
  return rows.map(({ id }) => id)
}

async function countIn(db: Kysely<Tables>, ids: readonly number[]): Promise<readonly DemandCount[]> {
  if (ids.length === 0) return []
  const query = sql<DemandCount>`
    SELECT skill, count(*) AS count, count(*) FILTER (WHERE need = 'required') AS required
    FROM job_skills WHERE job_id IN (${sql.join(ids)}) GROUP BY skill`
  return (await query.execute(db)).rows
}
