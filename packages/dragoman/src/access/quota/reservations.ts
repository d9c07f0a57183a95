import { sql, type RawBuilder, type SqlBool } from 'kysely'

import { dayNumber, MAX_ZONE_SHIFT_MS, startOfDay, spanOf, type Span } from './period.ts'
import type { Rule } from './rules.ts'
import type { UsageDatabase } from './tables.ts'

/** Tokens that are set aside for a run of somebody who has had none yet; then it is the average of their latest ones. */
const DEFAULT_RESERVED_TOKENS = 2000
const AVERAGED_RUNS = 20

/** A rule as it holds for somebody now. */
export type RuleUsage = {
  readonly rule: Rule
  readonly span: Span
  readonly zone: string
  readonly used: number
}

export type Reservation = {
  readonly runId: string
  readonly userId: string
  readonly agent: string
  readonly address: string | undefined
  readonly zone: string
  readonly at: number
  /** The caller's own key pays: no tokens are set aside. */
  readonly ownKey: boolean
}

/** Whose use, and which of it, a rule counts. */
type RuleWindow = Omit<RuleUsage, 'used'>

/** In which spans rules count now. An address has no zone of its own: its guests could choose one after the other. */
export function ruleWindows(
  rules: readonly Rule[],
  at: number,
  zones: { own: string; server: string },
): RuleWindow[] {
  return rules.map((rule) => {
    const zone = rule.scope === 'address' ? zones.server : zones.own
    return { rule, zone, span: spanOf(rule.period, at, zone) }
  })
}

/**
 * A week or a month may begin for somebody twice: they use it up where it begins first, and move to where it has not begun yet. What they have
 * used of it elsewhere counts.
 */
export function extendWindows(
  tables: UsageDatabase,
  userId: string,
  limits: readonly RuleWindow[],
): Promise<RuleWindow[]> {
  return Promise.all(
    limits.map(async (limit) => {
      const { period, scope } = limit.rule
      // Days do not overlap: who has begun one ends it.
      if (scope === 'address' || period === 'hourly' || period === 'daily') return limit
      const start = await findEarlierStart(tables, userId, limit)
      return { ...limit, span: { ...limit.span, start } }
    }),
  )
}

/** The first run of a period that had begun where its user was then, or the period's own beginning. */
async function findEarlierStart(
  tables: UsageDatabase,
  userId: string,
  { span: { start }, zone }: RuleWindow,
): Promise<number> {
  const before = tables
    .selectFrom('usage_runs')
    .where('user_id', '=', userId)
    .where('at', '>=', start - MAX_ZONE_SHIFT_MS)
    .where('at', '<', start)
  const others = await before.select('zone').distinct().where('zone', '<>', zone).execute()
  const firsts = await Promise.all(
    others.map(async ({ zone: other }) => {
      const dayStart = startOfDay(dayNumber(start, zone), other ?? zone)
      const ownRuns = before.where('zone', '=', other).where('at', '>=', dayStart)
      return (await ownRuns.select('at').orderBy('at').limit(1).executeTakeFirst())?.at ?? start
    }),
  )
  return Math.min(start, ...firsts)
}

/**
 * Writes down a run that begins, with what it may use, if every rule has room for it: in one statement, so that of many at once no more come
 * in than there is room for, whichever process they come to. False where there is none.
 */
export async function reserveUsage(
  tables: UsageDatabase,
  { runId, userId, agent, address, zone, at, ownKey }: Reservation,
  limits: readonly RuleWindow[],
): Promise<boolean> {
  const addressOrNull = address ?? null
  const latest = sql`SELECT tokens FROM usage_runs WHERE user_id = ${userId} AND settled = 1 AND own_key = 0 ORDER BY at DESC LIMIT ${sql.lit(AVERAGED_RUNS)}`
  const average = sql`coalesce((SELECT cast(round(avg(tokens)) AS INTEGER) FROM (${latest})), ${sql.lit(DEFAULT_RESERVED_TOKENS)})`
  const tokens = ownKey ? sql.lit(0) : average
  const room = limits.map(
    (limit) => sql<SqlBool>`(${usedAmount(limit, { userId, address: addressOrNull })}) < ${limit.rule.limit}`,
  )
  const { numAffectedRows } = await sql`
    INSERT INTO usage_runs (run_id, user_id, agent, address, zone, at, tokens, settled, input_tokens, output_tokens, own_key)
    SELECT ${runId}, ${userId}, ${agent}, ${addressOrNull}, ${zone}, ${at}, ${tokens}, 0, 0, 0, ${sql.lit(ownKey ? 1 : 0)}
    WHERE ${room.length > 0 ? sql.join(room, sql` AND `) : sql`true`}`.execute(tables)
  return (numAffectedRows ?? 0n) > 0n
}

/** The run was not to be. */
export async function releaseReservation(tables: UsageDatabase, runId: string): Promise<void> {
  await tables.deleteFrom('usage_runs').where('run_id', '=', runId).where('settled', '=', 0).execute()
}

/** Removes what a user used before a time, and tells whether that was all. */
export async function deleteUsage(tables: UsageDatabase, userId: string, before: number): Promise<boolean> {
  await tables.deleteFrom('usage_runs').where('user_id', '=', userId).where('at', '<', before).execute()
  const remaining = tables.selectFrom('usage_runs').select('run_id').where('user_id', '=', userId).limit(1)
  return (await remaining.executeTakeFirst()) === undefined
}

/** How much of each rule's limit is used up. */
export function measureUsage(
  tables: UsageDatabase,
  whose: { userId: string; address: string | undefined },
  limits: readonly RuleWindow[],
): Promise<RuleUsage[]> {
  const { userId, address = null } = whose
  return Promise.all(
    limits.map(async (limit) => {
      const { rows } = await sql<{
        used: number
      }>`SELECT (${usedAmount(limit, { userId, address })}) AS used`.execute(tables)
      return { ...limit, used: rows[0]?.used ?? 0 }
    }),
  )
}

/** The zone in which a user's latest run began, and when. */
export async function latestZone(
  tables: UsageDatabase,
  userId: string,
): Promise<{ zone: string; at: number } | undefined> {
  const row = await tables
    .selectFrom('usage_runs')
    .select(['zone', 'at'])
    .where('user_id', '=', userId)
    .where('zone', 'is not', null)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && row.zone !== null ? { zone: row.zone, at: row.at } : undefined
}

function usedAmount(
  { rule: { unit, agent, scope }, span }: RuleWindow,
  { userId, address }: { userId: string; address: string | null },
): RawBuilder<unknown> {
  const what = unit === 'runs' ? sql`count(*)` : sql`coalesce(sum(tokens), 0)`
  const whose = scope === 'address' ? sql`address = ${address}` : sql`user_id = ${userId}`
  const which = agent === undefined ? sql`` : sql` AND agent = ${agent}`
  return sql`SELECT ${what} FROM usage_runs WHERE ${whose} AND at >= ${span.start}${which}`
}
