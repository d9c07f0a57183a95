import type { Insertable, Kysely } from 'kysely'

import { emptyDatabase } from '../jobs.fixture.ts'
import type { Status } from '../postings/status.ts'
import type { JobRow, Need, ResumeRow, Tables } from '../tables.ts'
import { analytics, type Analytics } from './analytics.ts'

/** A posting that came through statuses on days, as `2026-03-01`; the last one is where it stands. */
export type Application = {
  readonly user?: string
  readonly path: readonly (readonly [Status, string])[]
  readonly row?: Partial<Insertable<JobRow>>
  readonly skills?: readonly (readonly [string, Need])[]
  /** Days of contacts. */
  readonly touches?: readonly string[]
}

/** Puts applications in as they would have come about. For tests. */
export async function putIn(db: Kysely<Tables>, applications: readonly Application[]): Promise<void> {
  await db.transaction().execute(async (trx) => {
    for (const [at, { user = 'ada', path, row, skills = [], touches = [] }] of applications.entries()) {
      const status = path.at(-1)?.[0] ?? 'inbox'
      const first = time(path[0]?.[1] ?? '2026-01-01')
      const { id } = await trx
        .insertInto('jobs')
        .values({
          ...blank,
          user_id: user,
          url: `https://acme.example/${at}`,
          url_hash: `${at}-${first}-${path.length}`,
          status,
          first_seen_at: first,
          last_seen_at: first,
          created_at: first,
          ...row,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      for (const [place, [next, day]] of path.entries()) {
        const old = path[place - 1]?.[0] ?? null
        const history = { job_id: id, old_status: old, new_status: next, changed_at: time(day) }
        await trx.insertInto('job_status_history').values(history).execute()
      }
      for (const [skill, need] of skills)
        await trx.insertInto('job_skills').values({ job_id: id, skill, need }).execute()
      for (const day of touches)
        await trx
          .insertInto('job_touches')
          .values({ job_id: id, at: time(day), kind: 'mail' })
          .execute()
    }
  })
}

const blank = {
  title: 'Engineer',
  company: 'Acme',
  location: null,
  workplace: null,
  source: 'manual',
  employment_type: null,
  salary_text: null,
  salary_min: null,
  salary_max: null,
  salary_currency: null,
  salary_period: null,
  salary_annual_min: null,
  salary_annual_max: null,
  description: null,
  posted_at: null,
  valid_through: null,
} as const

function time(day: string): string {
  return `${day}T09:00:00.000Z`
}

/** The day on which `after` looks back. */
const NOW = new Date('2026-03-31T12:00:00.000Z')

/** What comes of applications, as ada sees it at the end of March 2026. For tests. */
export async function after(...applications: Application[]): Promise<Analytics> {
  const db = await emptyDatabase()
  await putIn(db.withTables<Tables>(), applications)
  return analytics(db, () => NOW)
}

/** A posting that came through these. For tests. */
export function came(...steps: Application['path']): Application {
  return { path: steps }
}

/** Ada's default resume. For tests. */
export function defaultResume(name: string, content: string): Insertable<ResumeRow> {
  const at = time('2026-01-01')
  return {
    user_id: 'ada',
    name,
    content,
    language: 'en',
    is_default: 1,
    source: 'paste',
    original_filename: null,
    parse_status: 'success',
    created_at: at,
    updated_at: at,
  }
}
