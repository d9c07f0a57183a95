import { sql } from 'kysely'

import { isServiceError } from '../errors.ts'
import { isLive, type LogEntry, type Run } from '../events/index.ts'
import { pause, type Store } from '../log/index.ts'
import { countedIn, type Counted } from './counted.ts'
import type { UsageDatabase } from './tables.ts'

const PASS_MS = 1000
/** Those of one page are written as one: what it takes is not felt by streams. */
const PAGE = 50
const ALL = Number.MAX_SAFE_INTEGER
/** What was set aside so long ago for a run that is nowhere was for one that was deleted, in ms. It is looked for in every so many passes. */
const LOST_MS = 60_000
const PASSES_LOST = 30

/** Counts runs that have ended, by their logs. */
export interface Walk {
  /** Counts all that have ended by now. */
  catchUp(): Promise<void>
  /** Does so steadily, until `signal` aborts. */
  keepUp(signal: AbortSignal, report: (error: unknown) => void): Promise<void>
}

/**
 * A run is counted by what stands in its log and by nothing else: whichever process drove it, and however that ended, it is counted once.
 * Whoever dies on the way counts the same again.
 */
export function walk(tables: UsageDatabase, store: Store): Walk {
  let last: Promise<unknown> = Promise.resolve()
  const catchUp = (): Promise<void> => {
    const next = last.then(() => passes(tables, store))
    last = next.catch(() => undefined)
    return next
  }
  return {
    catchUp,
    async keepUp(signal, report) {
      for (let pass = 0; !signal.aborted; pass++) {
        await catchUp().catch(report)
        if (pass % PASSES_LOST === 0) await settleLost(tables, store).catch(report)
        await pause(PASS_MS, signal)
      }
    },
  }
}

async function passes(tables: UsageDatabase, store: Store): Promise<void> {
  for (;;) {
    const saved = await tables.selectFrom('usage_walk').select('cursor').executeTakeFirst()
    const since = saved?.cursor ?? 0
    const { runs, cursor } = await store.changed(since, PAGE)
    if (cursor === since) return
    // One that goes on will have changed again when it has ended.
    const ended = runs.filter((run) => !isLive(run))
    const counted = await Promise.all(ended.map((run) => count(run, store)))
    await tables.transaction().execute(async (trx) => {
      for (const each of counted) if (each) await save(each, trx)
      const on = { id: 1, cursor }
      await trx
        .insertInto('usage_walk')
        .values(on)
        .onConflict((conflict) => conflict.column('id').doUpdateSet(on))
        .execute()
    })
    if (runs.length < PAGE) return
  }
}

type CountedRun = Counted & { readonly run: Run }

async function count(run: Run, store: Store): Promise<CountedRun | undefined> {
  const entries = await structureOf(run, store)
  const counted = entries && countedIn(entries)
  return counted && { run, ...counted }
}

async function structureOf({ id }: Run, store: Store): Promise<LogEntry[] | undefined> {
  try {
    return await store.read(id, 0, { structure: true, limit: ALL })
  } catch (error) {
    if (isServiceError(error, 'unavailable')) throw error
    // It was deleted meanwhile, has been let go of, or is damaged: there is nothing to count, and it must not hold up the others.
    return undefined
  }
}

async function save({ run, usage, parts }: CountedRun, tables: UsageDatabase): Promise<void> {
  const numbers = {
    tokens: usage.inputTokens + usage.outputTokens,
    settled: 1,
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
  }
  const kept = { run_id: run.id, user_id: run.userId, agent: run.agent, at: run.createdAt }
  await tables
    .insertInto('usage_runs')
    .values({ ...kept, ...numbers, address: null, zone: null })
    .onConflict((on) => on.column('run_id').doUpdateSet(numbers))
    .execute()
  const rows = parts.map((part) => Object.assign({ run_id: run.id }, part))
  if (rows.length > 0) await tables.replaceInto('usage_parts').values(rows).execute()
}

/** What was set aside stays counted: else whoever deletes a conversation in time would have had its runs for nothing. */
async function settleLost(tables: UsageDatabase, store: Store): Promise<void> {
  const open = await tables
    .selectFrom('usage_runs')
    .select('run_id')
    .where('settled', '=', sql.lit(0))
    .where('at', '<', Date.now() - LOST_MS)
    .execute()
  for (const { run_id: id } of open) {
    const run = await store.get(id)
    if (run && isLive(run)) continue
    await tables.updateTable('usage_runs').set({ settled: 1 }).where('run_id', '=', id).execute()
  }
}
