import { sql, type Kysely } from 'kysely'
import { z } from 'zod'

import type { Status } from '../postings/status.ts'
import type { Tables } from '../tables.ts'
import { medianDays, rate, stageTimes } from './stage-times.ts'

/** The days of each period. */
const periods = { week: 7, '7d': 7, month: 30, '30d': 30, all: undefined } as const
export type Period = keyof typeof periods
export const periodNames = Object.keys(periods) as readonly Period[]

/** The statuses in which an application waits. */
const stages = ['inbox', 'applied', 'interviewing', 'offer'] as const satisfies readonly Status[]

const share = z.number().min(0).max(1).nullable()

export const funnelShape = z
  .object({
    period: z.enum(periodNames),
    inbox: z.int().describe('Added postings.'),
    applied: z.int().describe('Postings that came to this stage, or further, for the first time.'),
    interview: z.int(),
    offer: z.int(),
    rejected: z.int(),
    skipped: z.int(),
    active: z.int().describe('Applications, interviews and offers now, whatever the period.'),
    conversionRates: z.object({
      applyRate: share.describe(
        'The part of the added postings that ever had an application. null: there are none.',
      ),
      interviewRate: share.describe('The part of the applications that ever had an interview.'),
      offerRate: share.describe('The part of the interviews that ever had an offer.'),
    }),
    stages: z.array(
      z.object({
        stage: z.enum(stages),
        now: z.int().describe('Postings in it now.'),
        left: z.int().describe('Postings that left it.'),
        medianDays: z.number().nullable().describe('The time in it of those that left it.'),
      }),
    ),
  })
  .meta({ id: 'Funnel' })
export type Funnel = z.infer<typeof funnelShape>

/** How far applications come. Counts are events of the period; rates follow its postings, also beyond the period. */
export async function funnel(db: Kysely<Tables>, userId: string, period: Period, now: Date): Promise<Funnel> {
  const since = sinceOf(period, now)
  const { inboxOn, appliedOn, interviewOn, ...counts } = await reachedSince(db, userId, since)
  const times = await timesInStages(db, userId, since)
  const statusCounts = await db
    .selectFrom('jobs')
    .select(({ fn }) => ['status', fn.countAll<number>().as('count')])
    .where('user_id', '=', userId)
    .groupBy('status')
    .execute()
  const nowIn = (stage: Status): number => statusCounts.find(({ status }) => status === stage)?.count ?? 0
  return {
    period,
    ...counts,
    active: nowIn('applied') + nowIn('interviewing') + nowIn('offer'),
    conversionRates: {
      applyRate: rate(inboxOn, counts.inbox),
      interviewRate: rate(appliedOn, counts.applied),
      offerRate: rate(interviewOn, counts.interview),
    },
    stages: stages.map((stage) => {
      const stays = times.get(stage) ?? []
      return { stage, now: nowIn(stage), left: stays.length, medianDays: medianDays(stays) }
    }),
  }
}

/** An empty text is earlier than each ISO time. */
function sinceOf(period: Period, now: Date): string {
  const back = periods[period]
  return back === undefined ? '' : new Date(now.getTime() - back * 86_400_000).toISOString()
}

type Counts = Pick<Funnel, 'inbox' | 'applied' | 'interview' | 'offer' | 'rejected' | 'skipped'> &
  Readonly<Record<'inboxOn' | 'appliedOn' | 'interviewOn', number>>

/** `…On` counts the postings of a stage that came to the next one. */
async function reachedSince(db: Kysely<Tables>, userId: string, since: string): Promise<Counts> {
  const query = sql<Counts>`
    WITH ${stageTimes(userId)}
    SELECT
      count(*) FILTER (WHERE inbox_at >= ${since}) AS inbox,
      count(*) FILTER (WHERE inbox_at >= ${since} AND applied_at IS NOT NULL) AS "inboxOn",
      count(*) FILTER (WHERE applied_at >= ${since}) AS applied,
      count(*) FILTER (WHERE applied_at >= ${since} AND interview_at IS NOT NULL) AS "appliedOn",
      count(*) FILTER (WHERE interview_at >= ${since}) AS interview,
      count(*) FILTER (WHERE interview_at >= ${since} AND offer_at IS NOT NULL) AS "interviewOn",
      count(*) FILTER (WHERE offer_at >= ${since}) AS offer,
      count(*) FILTER (WHERE rejected_at >= ${since}) AS rejected,
      count(*) FILTER (WHERE skipped_at >= ${since}) AS skipped
    FROM reached`
  const [counts] = (await query.execute(db)).rows
  if (!counts) throw new Error('A count without GROUP BY gives one row.')
  return counts
}

/** `waits`: days, separated by spaces. */
type StageTime = { readonly status: Status; readonly waits: string }

/** The days in each status of the postings that left it since then. */
async function timesInStages(
  db: Kysely<Tables>,
  userId: string,
  since: string,
): Promise<ReadonlyMap<Status, readonly number[]>> {
  const query = sql<StageTime>`
    SELECT new_status AS status, string_agg(CAST(stayed_days AS TEXT), ' ') AS waits
    FROM jobs JOIN job_status_history AS history ON history.job_id = jobs.id
    WHERE user_id = ${userId} AND left_at >= ${since} GROUP BY new_status`
  const { rows } = await query.execute(db)
  return new Map(rows.map(({ status, waits }) => [status, waits.split(' ').map(Number)]))
}
