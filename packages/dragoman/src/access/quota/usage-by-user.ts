import { sql } from 'kysely'

import type { Database } from '../../database/index.ts'
import { usageTables } from './tables.ts'

/** What one user has used. `lastRunAt` is in ms since 1970. */
export type UserUsage = {
  readonly userId: string
  readonly runs: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly lastRunAt: number
}

/** Lists the users with runs that began at or after `since`, in ms since 1970: those with most tokens first. */
export async function usageByUser(
  db: Database,
  { since, limit }: { readonly since: number; readonly limit: number },
): Promise<readonly UserUsage[]> {
  const rows = await usageTables(db)
    .selectFrom('usage_runs')
    .select(({ fn }) => [
      'user_id',
      fn.countAll<number>().as('runs'),
      fn.sum<number>('input_tokens').as('input'),
      fn.sum<number>('output_tokens').as('output'),
      fn.max('at').as('last'),
    ])
    .where('at', '>=', since)
    .groupBy('user_id')
    .orderBy(sql`output`, 'desc')
    .orderBy('user_id')
    .limit(limit)
    .execute()
  return rows.map(({ user_id, runs, input, output, last }) => ({
    userId: user_id,
    runs,
    inputTokens: input,
    outputTokens: output,
    lastRunAt: last,
  }))
}
