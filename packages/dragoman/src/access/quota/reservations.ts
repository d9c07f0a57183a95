import { sql, type RawBuilder, type SqlBool } from 'kysely'

import { inTurns } from '../../database/index.ts'
import { dayNumber, MAX_ZONE_SHIFT_MS, startOfDay, spanOf, type Span } from './period.ts'
import type { Rule } from './rules.ts'
import type { UsageDatabase } from './tables.ts'

/**
 * Tokens that a run reserves at least. It reserves more if its prompt has more, or the user's latest runs on average.
 * An average alone may be next to nothing, so that any number of runs would find room.
 */
const MIN_RESERVED_TOKENS = 2000
const AVERAGED_RUNS = 20

/** A rule's current window and how much of it is used. */
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
  readonly promptTokens: number
  /** The caller's own key pays, so no tokens are reserved. */
  readonly ownKey: boolean
}

/** A rule with its current window. */
type RuleWindow = Omit<RuleUsage, 'used'>

/** The current windows of rules. An address uses the server's zone: otherwise its guests could choose a zone. */
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

/** A user who changes zones could start a week or month twice. Usage of the same period in another zone counts too. */
export function extendWindows(
  tables: UsageDatabase,
  userId: string,
  limits: readonly RuleWindow[],
): Promise<RuleWindow[]> {
  return Promise.all(
    limits.map(async (limit) => {
      const { period, scope } = limit.rule
      // Days do not overlap: a user stays in the zone of the day.
      if (scope === 'address' || period === 'hourly' || period === 'daily') return limit
      const start = await findEarlierStart(tables, userId, limit)
      return { ...limit, span: { ...limit.span, start } }
    }),
  )
}

/** The start of the period's first run in another zone, or the period's own start. */
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
 * Reserves a run with its tokens if every rule has room. It is one statement, so that concurrent starts, in any
 * process, cannot exceed a limit. Returns false if there is no room.
 */
export async function reserveUsage(
  tables: UsageDatabase,
  { runId, userId, agent, address, zone, at, promptTokens, ownKey }: Reservation,
  limits: readonly RuleWindow[],
): Promise<boolean> {
  const addressOrNull = address ?? null
  const latest = sql`SELECT tokens FROM usage_runs WHERE user_id = ${userId} AND settled = 1 AND own_key = 0
    ORDER BY at DESC LIMIT ${sql.lit(AVERAGED_RUNS)}`
  const least = sql.lit(Math.max(MIN_RESERVED_TOKENS, promptTokens))
  const largest = sql`(SELECT max(amount) FROM (SELECT cast(round(avg(tokens)) AS BIGINT) AS amount
    FROM (${latest}) AS latest UNION ALL SELECT ${least}) AS amounts)`
  const tokens = ownKey ? sql.lit(0) : largest
  const room = limits.map(
    (limit) => sql<SqlBool>`(${usedAmount(limit, { userId, address: addressOrNull })}) < ${limit.rule.limit}`,
  )
  const reservation = sql`
    INSERT INTO usage_runs (run_id, user_id, agent, address, zone, at, tokens, settled, input_tokens,
      output_tokens, own_key)
    SELECT ${runId}, ${userId}, ${agent}, ${addressOrNull}, ${zone}, ${at}, ${tokens}, 0, 0, 0,
      ${sql.lit(ownKey ? 1 : 0)}
    WHERE ${room.length > 0 ? sql.join(room, sql` AND `) : sql`true`}`
  // PostgreSQL's statements overlap: two that count at the same time would both find room.
  const turns =
    limits.length === 0 ? [] : [`quota ${userId}`, ...(address === undefined ? [] : [`quota ${address}`])]
  const { numAffectedRows } = await inTurns(tables, turns, (db) => reservation.execute(db))
  return (numAffectedRows ?? 0n) > 0n
}

/** Removes the reservation of a run that did not start. */
export async function releaseReservation(tables: UsageDatabase, runId: string): Promise<void> {
  await tables.deleteFrom('usage_runs').where('run_id', '=', runId).where('settled', '=', 0).execute()
}

/** Deletes a user's usage before a time. Returns whether nothing is left. */
export async function deleteUsage(tables: UsageDatabase, userId: string, before: number): Promise<boolean> {
  await tables.deleteFrom('usage_runs').where('user_id', '=', userId).where('at', '<', before).execute()
  const remaining = tables.selectFrom('usage_runs').select('run_id').where('user_id', '=', userId).limit(1)
  return (await remaining.executeTakeFirst()) === undefined
}

/** Measures how much of each limit is used. */
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

/** The zone and the time of a user's latest run. */
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
