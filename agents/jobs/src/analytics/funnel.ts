import { sql, type Kysely } from 'kysely'
import { z } from 'zod'

import type { Status } from '../postings/status.ts'
import type { Tables } from '../tables.ts'
import { medianDays, rate, reached } from './reached.ts'

/** Each name, and how many days back from now it goes. */
const periods = { week: 7, '7d': 7, month: 30, '30d': 30, all: undefined } as const
export type Period = keyof typeof periods
export const periodNames = Object.keys(periods) as readonly Period[]

/** The ones that somebody waits in. */
const stages = ['inbox', 'applied', 'interviewing', 'offer'] as const satisfies readonly Status[]

const share = z.number().min(0).max(1).nullable()

export const funnelShape = z
  .object({
    period: z.enum(periodNames),
    inbox: z.int().describe('Postings put in.'),
    applied: z.int().describe('Postings that came so far, or further, for the first time.'),
    interview: z.int(),
    offer: z.int(),
    rejected: z.int(),
    skipped: z.int(),
    active: z.int().describe('How many are applied for, in interviews or offered now, whatever the period.'),
    conversionRates: z.object({
      applyRate: share.describe('Of those put in: how many were ever applied for. null: there are none.'),
      interviewRate: share.describe('Of those applied for: how many ever came to an interview.'),
      offerRate: share.describe('Of those with an interview: how many ever came to an offer.'),
    }),
    stages: z.array(
      z.object({
        stage: z.enum(stages),
        now: z.int().describe('How many stand there now.'),
        left: z.int().describe('How often one left it.'),
        medianDays: z.number().nullable().describe('How long those stood there that left it.'),
      }),
    ),
  })
  .meta({ id: 'Funnel' })
export type Funnel = z.infer<typeof funnelShape>

/**
 * How far applications come. Each count is of what happened in the period; each rate is of those of its first count,
 * however late they came on.
 */
export async function funnel(db: Kysely<Tables>, userId: string, period: Period, now: Date): Promise<Funnel> {
  const since = sinceOf(period, now)
  const counts = await reachedSince(db, userId, since)
  const times = await timesInStages(db, userId, since)
  const standing = await db
    .selectFrom('jobs')
    .select(({ fn }) => ['status', fn.countAll<number>().as('count')])
    .where('user_id', '=', userId)
    .groupBy('status')
    .execute()
  const nowIn = (stage: Status): number => standing.find(({ status }) => status === stage)?.count ?? 0
  return {
    period,
    inbox: counts.inbox,
    applied: counts.applied,
    interview: counts.interview,
    offer: counts.offer,
    rejected: counts.rejected,
    skipped: counts.skipped,
    active: nowIn('applied') + nowIn('interviewing') + nowIn('offer'),
    conversionRates: {
      applyRate: rate(counts.inboxOn, counts.inbox),
      interviewRate: rate(counts.appliedOn, counts.applied),
      offerRate: rate(counts.interviewOn, counts.interview),
    },
    stages: stages.map((stage) => {
      const stays = times.get(stage) ?? []
      return { stage, now: nowIn(stage), left: stays.length, medianDays: medianDays(stays) }
    }),
  }
}

/** Every ISO time is later than an empty text. */
function sinceOf(period: Period, now: Date): string {
  const back = periods[period]
  return back === undefined ? '' : new Date(now.getTime() - back * 86_400_000).toISOString()
}

type Counts = Readonly<
  Record<
    | 'inbox'
    | 'applied'
    | 'interview'
    | 'offer'
    | 'rejected'
    | 'skipped'
    | 'inboxOn'
    | 'appliedOn'
    | 'interviewOn',
    number
  >
>

/** `…On` counts those of a stage that came to the next one. */
async function reachedSince(db: Kysely<Tables>, userId: string, since: string): Promise<Counts> {
  const query = sql<Counts>`
    WITH ${reached(userId)}
    SELECT
      count(*) FILTER (WHERE inbox_at >= ${since}) AS inbox,
      count(*) FILTER (WHERE inbox_at >= ${since} AND applied_at IS NOT NULL) AS inboxOn,
      count(*) FILTER (WHERE applied_at >= ${since}) AS applied,
      count(*) FILTER (WHERE applied_at >= ${since} AND interview_at IS NOT NULL) AS appliedOn,
      count(*) FILTER (WHERE interview_at >= ${since}) AS interview,
      count(*) FILTER (WHERE interview_at >= ${since} AND offer_at IS NOT NULL) AS interviewOn,
      count(*) FILTER (WHERE offer_at >= ${since}) AS offer,
      count(*) FILTER (WHERE rejected_at >= ${since}) AS rejected,
      count(*) FILTER (WHERE skipped_at >= ${since}) AS skipped
    FROM reached`
  const [counts] = (await query.execute(db)).rows
  if (!counts) throw new Error('A count without GROUP BY gives one row.')
  return counts
}

type StageTime = { readonly status: Status; readonly waits: string }

/** How long postings stood in each status before they left it, by when they left. */
async function timesInStages(
  db: Kysely<Tables>,
  userId: string,
  since: string,
): Promise<ReadonlyMap<Status, readonly number[]>> {
  const query = sql<StageTime>`
    SELECT new_status AS status, json_group_array(stayed_days) AS waits
    FROM jobs JOIN job_status_history AS history ON history.job_id = jobs.id
    WHERE user_id = ${userId} AND left_at >= ${since} GROUP BY new_status`
  const { rows } = await query.execute(db)
  return new Map(rows.map(({ status, waits }) => [status, JSON.parse(waits) as number[]]))
}
