import { sql } from 'kysely'

import { createCallTally, readUsage, type CallMeter, type CallTally } from '../../events/index.ts'
import { MAX_RUN_TOKENS } from './count-run-usage.ts'
import type { UsageDatabase } from './tables.ts'

/** Who asks a model for a tool of a run. The run has its place in the quota already. */
export type RunPayer = { readonly runId: string; readonly userId: string; readonly agent: string }

/**
 * Asks a model for a tool of a run. What this costs counts at once, in place of what the run has reserved: a run may
 * ask hundreds of times before its end tells what all of it has cost. `meter` is the run's own.
 */
export async function chargeInRun<T>(
  tables: UsageDatabase,
  runId: string,
  { meter, ask }: { readonly meter: CallMeter; readonly ask: (meter: CallMeter) => Promise<T> },
): Promise<T> {
  const tally = createCallTally()
  try {
    return await ask(chargeBoth(meter, tally))
  } finally {
    await addSpent(tables, runId, tally)
  }
}

function chargeBoth(first: CallMeter, second: CallMeter): CallMeter {
  return {
    charge(call) {
      const setCosts = [first.charge(call), second.charge(call)]
      return (cost) => setCosts.forEach((setCost) => setCost(cost))
    },
    get hasRoom() {
      return first.hasRoom !== false
    },
  }
}

/** The end of the run replaces these numbers. */
async function addSpent(tables: UsageDatabase, runId: string, { calls, usage }: CallTally): Promise<void> {
  if (calls.length === 0) return
  const { inputTokens, outputTokens } = readUsage(usage, MAX_RUN_TOKENS)
  const total = sql<number>`input_tokens + output_tokens + ${sql.lit(inputTokens + outputTokens)}`
  await tables
    .updateTable('usage_runs')
    .set((eb) => ({
      tokens: sql<number>`CASE WHEN tokens < ${total} THEN ${total} ELSE tokens END`,
      input_tokens: eb('input_tokens', '+', inputTokens),
      output_tokens: eb('output_tokens', '+', outputTokens),
    }))
    .where('run_id', '=', runId)
    .where('settled', '=', 0)
    .execute()
}

/** Tokens that a run has reserved and not spent. */
export async function unspentTokens(tables: UsageDatabase, runId: string): Promise<number> {
  const row = await tables
    .selectFrom('usage_runs')
    .select(['tokens', 'input_tokens', 'output_tokens'])
    .where('run_id', '=', runId)
    .executeTakeFirst()
  return row ? Math.max(0, row.tokens - row.input_tokens - row.output_tokens) : 0
}
