import { nanoid } from 'nanoid'

import {
  addUsage,
  createCallTally,
  noUsage,
  readUsage,
  type CallMeter,
  type CallTally,
  type Usage,
} from '../../events/index.ts'
import { MAX_NAME_LENGTH, MAX_RUN_TOKENS } from './count-run-usage.ts'
import type { UsageDatabase } from './tables.ts'

/** Model calls of one question outside of runs, with those after a failure or for a better answer. */
const MAX_CALLS = 2

/** Who asks a model outside of any run, and the tokens of the question, by estimate. */
export type Payer = { readonly userId: string; readonly agent: string; readonly promptTokens: number }

interface Reservations {
  reserve(request: Payer & { readonly runId: string }): Promise<void>
  release(runId: string): Promise<void>
}

/**
 * Asks a model outside of a run, and counts it as a run: it needs room in the user's quota, and what it has sent
 * counts, also if it is cut off. An attempt that sent nothing costs nothing, nor does one that fails without a token.
 * @throws ServiceError `quota-exceeded`, and what `ask` throws
 */
export async function chargeCall<T>(
  { tables, quota }: { readonly tables: UsageDatabase; readonly quota: Reservations },
  payer: Payer,
  ask: (meter: CallMeter) => Promise<T>,
): Promise<T> {
  const runId = `call_${nanoid(12)}`
  const at = Date.now()
  await quota.reserve({ runId, ...payer })
  const tally = createCallTally(MAX_CALLS)
  let hasFailed = true
  try {
    const answer = await ask(tally)
    hasFailed = false
    return answer
  } finally {
    const isFree = hasFailed ? tally.calls.every(hasNoTokens) : tally.calls.length === 0
    if (isFree) await quota.release(runId)
    else await settle(tables, { runId, ...payer, at }, tally.calls)
  }
}

function hasNoTokens({ usage }: CallTally['calls'][number]): boolean {
  const { inputTokens, outputTokens } = readUsage(usage, MAX_RUN_TOKENS)
  return inputTokens + outputTokens === 0
}

function sumByModel(calls: CallTally['calls']) {
  const byModel = new Map<string, { readonly times: number; readonly usage: Usage }>()
  for (const { model, usage } of calls) {
    const before = byModel.get(model) ?? { times: 0, usage: noUsage }
    byModel.set(model, { times: before.times + 1, usage: addUsage(before.usage, usage) })
  }
  return byModel
}

async function settle(
  tables: UsageDatabase,
  { runId, userId, agent, at }: Payer & { readonly runId: string; readonly at: number },
  calls: CallTally['calls'],
): Promise<void> {
  const parts = Array.from(sumByModel(calls), ([model, { times, usage }]) => {
    const { inputTokens, outputTokens } = readUsage(usage, MAX_RUN_TOKENS)
    const used = { times, input_tokens: inputTokens, output_tokens: outputTokens }
    return { run_id: runId, kind: 'model' as const, name: model.slice(0, MAX_NAME_LENGTH), ...used }
  })
  const sum = (field: 'input_tokens' | 'output_tokens'): number =>
    parts.reduce((all, part) => all + part[field], 0)
  const [input, output] = [sum('input_tokens'), sum('output_tokens')]
  const numbers = {
    tokens: input + output,
    settled: 1,
    input_tokens: input,
    output_tokens: output,
    own_key: 0,
  }
  await tables.transaction().execute(async (trx) => {
    await trx
      .insertInto('usage_runs')
      .values({ run_id: runId, user_id: userId, agent, at, ...numbers, address: null, zone: null })
      .onConflict((on) => on.column('run_id').doUpdateSet(numbers))
      .execute()
    await trx.insertInto('usage_parts').values(parts).execute()
  })
}
