import type { Kysely, Transaction } from 'kysely'

import { analytics } from '../agents/jobs/src/analytics/analytics.ts'
import { jobsMigrations } from '../agents/jobs/src/migrations/migrations.ts'
import type { Status } from '../agents/jobs/src/postings/status.ts'
import { sources, type Tables } from '../agents/jobs/src/tables.ts'
import { migrate, openDatabase } from '../packages/dragoman/src/database/index.ts'
import { median } from './readers.ts'
import { formatTable } from './format-table.ts'

const POSTINGS = 10_000
const TURNS = 15
const USER = 'local'
const DAY_MS = 86_400_000

/** Measures the statistics of the jobs agent with ten thousand postings, each with a history, skills and contacts. */
export async function jobsAnalytics(): Promise<string> {
  const database = openDatabase(':memory:')
  try {
    await migrate(database, jobsMigrations)
    const db = database.withTables<Tables>()
    await db.transaction().execute(fill)
    const stats = analytics(database)
    const page = { days: 7, limit: 20 }
    const rows = [
      ['funnel, all', await medianTime(() => stats.funnel(USER, 'all'))],
      ['funnel, 30d', await medianTime(() => stats.funnel(USER, '30d'))],
      ['skills', await medianTime(() => stats.skills(USER, 20))],
      ['responses', await medianTime(() => stats.responses(USER, 20))],
      ['nudges', await medianTime(() => stats.nudges(USER, page))],
    ] as const
    const changes = await countRows(db, 'job_status_history')
    const skills = await countRows(db, 'job_skills')
    return (
      `figures of ${POSTINGS.toLocaleString('en-US')} postings with ${changes} changes of status ` +
      `and ${skills} skills\n${formatTable(['', 'p50'], rows)}`
    )
  } finally {
    await database.destroy()
  }
}

async function medianTime(ask: () => Promise<unknown>): Promise<string> {
  const times: number[] = []
  for (let turn = 0; turn < TURNS; turn++) {
    const began = performance.now()
    await ask()
    times.push(performance.now() - began)
  }
  return `${median(times).toFixed(1)} ms`
}

async function countRows(db: Kysely<Tables>, name: 'job_status_history' | 'job_skills'): Promise<string> {
  const query = db.selectFrom(name).select(({ fn }) => fn.countAll<number>().as('count'))
  return (await query.executeTakeFirstOrThrow()).count.toLocaleString('en-US')
}

const paths: readonly (readonly Status[])[] = [
  ['inbox'],
  ['inbox', 'skipped'],
  ['inbox', 'applied'],
  ['inbox', 'applied', 'rejected'],
  ['inbox', 'applied', 'interviewing'],
  ['inbox', 'applied', 'interviewing', 'rejected'],
  ['inbox', 'applied', 'interviewing', 'offer'],
]

/** The same postings in each run: values that look random derive from their numbers. */
async function fill(trx: Transaction<Tables>): Promise<void> {
  await trx.insertInto('resumes').values(resume).execute()
  const start = Date.now() - 200 * DAY_MS
  for (let at = 1; at <= POSTINGS; at++) {
    const steps = paths[(at * 7919) % paths.length] ?? ['inbox']
    const time = (days: number): string =>
      new Date(start + ((at * 131) % 150) * DAY_MS + days * DAY_MS).toISOString()
    const createdAt = time(0)
    const status = steps.at(-1) ?? 'inbox'
    const posting = {
      ...blank,
      url: `https://${at}.example/`,
      url_hash: `${at}`,
      status,
      created_at: createdAt,
    }
    const source = sources[at % sources.length] ?? 'manual'
    await trx
      .insertInto('jobs')
      .values({
        ...posting,
        source,
        first_seen_at: createdAt,
        last_seen_at: createdAt,
        resume_id: at % 3 === 0 ? 1 : null,
      })
      .execute()
    const history = steps.map((next, step) => ({
      job_id: at,
      old_status: steps[step - 1] ?? null,
      new_status: next,
      changed_at: time(step * (3 + (at % 9))),
    }))
    await trx.insertInto('job_status_history').values(history).execute()
    const skillNames = new Set(Array.from({ length: 8 }, (_, n) => `Skill ${(at * (n + 3) * 37) % 300}`))
    const skills = [...skillNames].map(
      (skill, n) => ({ job_id: at, skill, need: n < 4 ? 'required' : 'nice' }) as const,
    )
    await trx.insertInto('job_skills').values(skills).execute()
    if (at % 4 === 0)
      await trx
        .insertInto('job_touches')
        .values({ job_id: at, at: time(20), kind: 'mail' })
        .execute()
  }
}

const blank = {
  user_id: USER,
  title: 'Engineer',
  company: 'Acme',
  location: null,
  workplace: null,
  employment_type: null,
  salary_text: null,
  salary_min: null,
  salary_max: null,
  salary_currency: null,
  salary_period: null,
  salary_annual_min: null,
  salary_annual_max: null,
  // Realistic row lengths, so that the counted rows lie apart on disk.
  description: 'Builds pipelines that are still there on Monday, in Go and PostgreSQL. '.repeat(40),
  posted_at: null,
  valid_through: null,
}

const resume = {
  user_id: USER,
  name: 'Resume',
  content: '# Ada\n\n## Skills\n\nGo, PostgreSQL, Kafka, Rust, TypeScript, Kubernetes',
  language: 'en',
  is_default: 1,
  source: 'paste',
  original_filename: null,
  parse_status: 'success',
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
} as const
