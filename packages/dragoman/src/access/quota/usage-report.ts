import { sql } from 'kysely'

import { formatDay, dayNumber, startOfDay } from './period.ts'
import type { UsageDatabase } from './tables.ts'
import type { UsagePartRow } from './usage-rows.ts'

export const groupings = ['day', 'month', 'agent', 'model', 'skill', 'tool'] as const
export type Grouping = (typeof groupings)[number]

/** Usage of a group. `runs` are the runs that used it. */
export type UsageTotals = {
  readonly runs: number
  readonly inputTokens: number
  readonly outputTokens: number
}

export type UsageReport = {
  /** The first and the last day, as `2026-11-23`, in the zone. */
  readonly from: string
  readonly to: string
  readonly timeZone: string
  readonly by: Grouping
  readonly total: UsageTotals & { readonly toolCalls: number; readonly skillUses: number }
  /** `times`: uses of a model, tool or skill. Days and months are in order, other groups by descending tokens. */
  readonly groups: readonly (UsageTotals & { readonly name: string; readonly times?: number })[]
}

export type UsageQuery = {
  readonly from: string
  readonly to: string
  readonly by: Grouping
  readonly zone: string
}

/** Zones differ from UTC by whole quarters of an hour, so sums of quarters belong to one day. */
const QUARTER_MS = 900_000

/** Reports the usage of a user's ended runs that started in these days. */
export async function createUsageReport(
  tables: UsageDatabase,
  userId: string,
  { from, to, by, zone }: UsageQuery,
): Promise<UsageReport> {
  const span = { userId, start: startOfDay(toDay(from), zone), end: startOfDay(toDay(to) + 1, zone) }
  const [total, groups] = await Promise.all([readTotal(tables, span), readGroups(tables, span, { by, zone })])
  return { from, to, timeZone: zone, by, total, groups }
}

/** A date as days since 1970-01-01. */
export function toDay(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / 86_400_000
}

type UsageSpan = { readonly userId: string; readonly start: number; readonly end: number }

async function readTotal(
  tables: UsageDatabase,
  { userId, start, end }: UsageSpan,
): Promise<UsageReport['total']> {
  const { rows } = await sql<UsageReport['total']>`
    SELECT count(*) AS runs, coalesce(sum(input_tokens), 0) AS "inputTokens",
      coalesce(sum(output_tokens), 0) AS "outputTokens",
      coalesce((${times('tool', { userId, start, end })}), 0) AS "toolCalls",
      coalesce((${times('skill', { userId, start, end })}), 0) AS "skillUses"
    FROM usage_runs WHERE user_id = ${userId} AND at >= ${start} AND at < ${end}`.execute(tables)
  const [row] = rows
  return { runs: 0, inputTokens: 0, outputTokens: 0, toolCalls: 0, skillUses: 0, ...row }
}

function times(kind: UsagePartRow['kind'], { userId, start, end }: UsageSpan) {
  return sql`SELECT sum(times) FROM usage_parts JOIN usage_runs USING (run_id)
    WHERE user_id = ${userId} AND at >= ${start} AND at < ${end} AND kind = ${kind}`
}

async function readGroups(
  tables: UsageDatabase,
  span: UsageSpan,
  { by, zone }: { by: Grouping; zone: string },
): Promise<UsageReport['groups']> {
  switch (by) {
    case 'day':
    case 'month':
      return groupByDate(await readQuarters(tables, span), zone, by)
    case 'agent':
      return readAgents(tables, span)
    case 'model':
    case 'skill':
    case 'tool':
      return readParts(tables, span, by)
  }
}

type Quarter = UsageTotals & { readonly quarter: number }

async function readQuarters(
  tables: UsageDatabase,
  { userId, start, end }: UsageSpan,
): Promise<readonly Quarter[]> {
  const quarter = sql`at / ${sql.lit(QUARTER_MS)}`
  const { rows } = await sql<Quarter>`
    SELECT ${quarter} AS quarter, count(*) AS runs, sum(input_tokens) AS "inputTokens",
      sum(output_tokens) AS "outputTokens"
    FROM usage_runs WHERE user_id = ${userId} AND at >= ${start} AND at < ${end} GROUP BY ${quarter}
      ORDER BY quarter`.execute(tables)
  return rows
}

function groupByDate(rows: readonly Quarter[], zone: string, by: 'day' | 'month'): UsageReport['groups'] {
  const found = new Map<string, UsageTotals & { readonly name: string }>()
  for (const { quarter, runs, inputTokens, outputTokens } of rows) {
    const name = formatDay(dayNumber(quarter * QUARTER_MS, zone)).slice(0, by === 'day' ? 10 : 7)
    const previous = found.get(name) ?? { runs: 0, inputTokens: 0, outputTokens: 0 }
    found.set(name, {
      name,
      runs: previous.runs + runs,
      inputTokens: previous.inputTokens + inputTokens,
      outputTokens: previous.outputTokens + outputTokens,
    })
  }
  return [...found.values()]
}

async function readAgents(
  tables: UsageDatabase,
  { userId, start, end }: UsageSpan,
): Promise<UsageReport['groups']> {
  const { rows } = await sql<UsageTotals & { name: string }>`
    SELECT agent AS name, count(*) AS runs, sum(input_tokens) AS "inputTokens", sum(output_tokens) AS "outputTokens"
    FROM usage_runs WHERE user_id = ${userId} AND at >= ${start} AND at < ${end}
    GROUP BY agent ORDER BY sum(input_tokens) + sum(output_tokens) DESC, name`.execute(tables)
  return rows
}

async function readParts(
  tables: UsageDatabase,
  { userId, start, end }: UsageSpan,
  kind: UsagePartRow['kind'],
): Promise<UsageReport['groups']> {
  const { rows } = await sql<UsageTotals & { name: string; times: number }>`
    SELECT name, count(*) AS runs, sum(times) AS times, sum(p.input_tokens) AS "inputTokens",
      sum(p.output_tokens) AS "outputTokens"
    FROM usage_parts AS p JOIN usage_runs USING (run_id)
    WHERE user_id = ${userId} AND at >= ${start} AND at < ${end} AND kind = ${kind}
    GROUP BY name ORDER BY sum(p.input_tokens) + sum(p.output_tokens) DESC, times DESC, name`.execute(tables)
  return rows
}
