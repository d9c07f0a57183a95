import { sql } from 'kysely'

import { isServiceError } from '../../errors.ts'
import { isLive, type LogEntry, type Run } from '../../events/index.ts'
import { pause, type Store } from '../../log/index.ts'
import { countRunUsage, type RunCount, type SkillsUsed } from './count-run-usage.ts'
import type { UsageDatabase } from './tables.ts'

const PASS_INTERVAL_MS = 1000
/** A page is written in one transaction, short enough for streams to continue. */
const PAGE_RUNS = 50
const NO_LIMIT = Number.MAX_SAFE_INTEGER
/**
 * A reservation without a run counts as lost after this time. Lost ones are searched every `LOST_CHECK_PASSES`
 * passes.
 */
const LOST_AFTER_MS = 60_000
const LOST_CHECK_PASSES = 30

/** Counts ended runs from their logs. */
export interface UsageCounter {
  /** Counts all runs that have ended. */
  catchUp(): Promise<void>
  /** Counts in a loop, until `signal` aborts. */
  keepUp(signal: AbortSignal, report: (error: unknown) => void): Promise<void>
}

/**
 * A run is counted only from its log, so it is counted once whichever process ran it. A counter that dies counts the
 * same again.
 */
export function createUsageCounter(
  tables: UsageDatabase,
  store: Store,
  skillsUsed: SkillsUsedByAgent = () => undefined,
): UsageCounter {
  let last: Promise<unknown> = Promise.resolve()
  const skippedErrors: unknown[] = []
  const catchUp = (): Promise<void> => {
    const next = last.then(() =>
      countChangedRuns({ tables, store, skillsUsed, skip: (error) => void skippedErrors.push(error) }),
    )
    last = next.catch(() => undefined)
    return next
  }
  return {
    catchUp,
    async keepUp(signal, report) {
      for (let pass = 0; !signal.aborted; pass++) {
        await catchUp().catch(report)
        skippedErrors.splice(0).forEach(report)
        if (pass % LOST_CHECK_PASSES === 0) await settleLostReservations(tables, store).catch(report)
        await pause(PASS_INTERVAL_MS, signal)
      }
    },
  }
}

/** Finds an agent's function by its id. */
export type SkillsUsedByAgent = (agent: string) => SkillsUsed | undefined

type CountPorts = {
  readonly tables: UsageDatabase
  readonly store: Store
  readonly skillsUsed: SkillsUsedByAgent
  /** Called with the error of a run that cannot be counted. The cursor moves on, so the run is skipped permanently. */
  readonly skip: (error: unknown) => void
}

async function countChangedRuns({ tables, store, skillsUsed, skip }: CountPorts): Promise<void> {
  for (;;) {
    const savedCursor = await tables.selectFrom('usage_walk').select('cursor').executeTakeFirst()
    const since = savedCursor && String(savedCursor.cursor)
    const { runs, cursor } = await store.changed(since, PAGE_RUNS)
    if (cursor === since) return
    // A live run changes again when it ends. Runs that the server answered itself are not charged.
    const ended = runs.filter((run) => !isLive(run) && run.request.answer === undefined)
    const counts = await Promise.all(ended.map((run) => count(run, { store, skillsUsed, skip })))
    const page = { counted: counts.filter((each) => each !== undefined), cursor }
    try {
      await savePage(page, tables)
    } catch (error) {
      if (isServiceError(error, 'unavailable')) throw error
      // One run cannot be stored: stored one by one, only that one is left out.
      for (const each of page.counted)
        await savePage({ counted: [each] }, tables).catch(unlessUnavailable(skip))
      await savePage({ counted: [], cursor }, tables)
    }
    if (runs.length < PAGE_RUNS) return
  }
}

/** Stores a page in one transaction. */
async function savePage(
  { counted, cursor }: { readonly counted: readonly CountedRun[]; readonly cursor?: string },
  tables: UsageDatabase,
): Promise<void> {
  await tables.transaction().execute(async (trx) => {
    for (const each of counted) await save(each, trx)
    if (cursor === undefined) return
    const on = { id: 1, cursor }
    await trx
      .insertInto('usage_walk')
      .values(on)
      .onConflict((conflict) => conflict.column('id').doUpdateSet(on))
      .execute()
  })
}

/** An unavailable database is retried later; any other error belongs to the run. */
function unlessUnavailable(skip: CountPorts['skip']): (error: unknown) => void {
  return (error) => {
    if (isServiceError(error, 'unavailable')) throw error
    skip(error)
  }
}

type CountedRun = RunCount & { readonly run: Run }

async function count(
  run: Run,
  { store, skillsUsed, skip }: Omit<CountPorts, 'tables'>,
): Promise<CountedRun | undefined> {
  const entries = await readStructure(run, store)
  try {
    const result = entries && countRunUsage(entries, skillsUsed(run.agent))
    return result && { run, ...result }
  } catch (error) {
    skip(error)
    return undefined
  }
}

async function readStructure({ id }: Run, store: Store): Promise<LogEntry[] | undefined> {
  try {
    return await store.read(id, 0, { structure: true, limit: NO_LIMIT })
  } catch (error) {
    if (isServiceError(error, 'unavailable')) throw error
    // The log is deleted, pruned or damaged: there is nothing to count, and other runs must not wait.
    return undefined
  }
}

async function save({ run, usage, parts }: CountedRun, tables: UsageDatabase): Promise<void> {
  const ownKey = run.request.ownKey === true
  const numbers = {
    tokens: ownKey ? 0 : usage.inputTokens + usage.outputTokens,
    settled: 1,
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    own_key: ownKey ? 1 : 0,
  }
  const key = { run_id: run.id, user_id: run.userId, agent: run.agent, at: run.createdAt }
  await tables
    .insertInto('usage_runs')
    .values({ ...key, ...numbers, address: null, zone: null })
    .onConflict((on) => on.column('run_id').doUpdateSet(numbers))
    .execute()
  const rows = parts.map((part) => Object.assign({ run_id: run.id }, part))
  if (rows.length === 0) return
  await tables
    .insertInto('usage_parts')
    .values(rows)
    .onConflict((on) =>
      on.columns(['run_id', 'kind', 'name']).doUpdateSet(({ ref }) => ({
        times: ref('excluded.times'),
        input_tokens: ref('excluded.input_tokens'),
        output_tokens: ref('excluded.output_tokens'),
      })),
    )
    .execute()
}

/** Reserved tokens stay counted: otherwise deleting a conversation in time would make its runs free. */
async function settleLostReservations(tables: UsageDatabase, store: Store): Promise<void> {
  const open = await tables
    .selectFrom('usage_runs')
    .select('run_id')
    .where('settled', '=', sql.lit(0))
    .where('at', '<', Date.now() - LOST_AFTER_MS)
    .execute()
  for (const { run_id: id } of open) {
    const run = await store.get(id)
    if (run && isLive(run)) continue
    await tables.updateTable('usage_runs').set({ settled: 1 }).where('run_id', '=', id).execute()
  }
}
