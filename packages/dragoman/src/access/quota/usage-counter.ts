import { sql } from 'kysely'

import { coalesceByKey, waitAtMost } from '../../async/index.ts'
import { skipUnwritable } from '../../database/index.ts'
import { isServiceError } from '../../errors.ts'
import { isLive, type LogEntry, type Run, type RunSummary } from '../../events/index.ts'
import { FIRST_SEQ, pause, type Store } from '../../log/index.ts'
import { countRunUsage, type RunCount, type SkillsUsed } from './count-run-usage.ts'
import type { UsageDatabase } from './tables.ts'

const PASS_INTERVAL_MS = 2000
/** How long a report waits until the user's latest runs are counted, in ms. */
const MAX_REPORT_WAIT_MS = 200
/** A page is written in one transaction, short enough for streams to continue. */
const PAGE_RUNS = 50
const NO_LIMIT = Number.MAX_SAFE_INTEGER
/** More than a run may produce. Of a log that is larger nothing is counted. */
const MAX_LOG_BYTES = 80 * 1024 * 1024
/**
 * A reservation without a run counts as lost after this time. Lost ones are searched every `LOST_CHECK_PASSES`
 * passes.
 */
const LOST_AFTER_MS = 60_000
const LOST_CHECK_PASSES = 15

/** Counts ended runs from their logs. */
export interface UsageCounter {
  /** Counts the runs of a user that have ended: all of them, however long it takes. */
  catchUp(userId: string): Promise<void>
  /** The same for a report, which waits for 200 ms at most. */
  catchUpSoon(userId: string): Promise<void>
  /** Counts all runs that have ended, or fewer if `signal` aborts. Only background work may wait for it. */
  catchUpAll(signal?: AbortSignal): Promise<void>
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
  const ports = { tables, store, skillsUsed, skip: (error: unknown) => void skippedErrors.push(error) }
  const catchUpAll = (signal?: AbortSignal): Promise<void> => {
    const next = last.then(() => countChangedRuns(ports, signal))
    last = next.catch(() => undefined)
    return next
  }
  const catchUp = coalesceByKey((userId) => countUserRuns(ports, userId))
  return {
    catchUp,
    catchUpSoon: (userId) => waitAtMost(MAX_REPORT_WAIT_MS, skipUnwritable(catchUp(userId))),
    catchUpAll,
    async keepUp(signal, report) {
      for (let pass = 0; !signal.aborted; pass++) {
        await catchUpAll(signal).catch(report)
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

async function countChangedRuns(ports: CountPorts, signal?: AbortSignal): Promise<void> {
  for (;;) {
    const since = await savedCursor(ports)
    const { runs, cursor } = await ports.store.changed(since, PAGE_RUNS)
    if (cursor === since) return
    await countPage(runs, ports, cursor)
    if (runs.length < PAGE_RUNS || signal?.aborted) return
  }
}

/** Counts the runs of one user among those that the passes of all users have yet to count. */
async function countUserRuns(ports: CountPorts, userId: string): Promise<void> {
  for (let after = await savedCursor(ports); ;) {
    const { runs, cursor } = await ports.store.changed(after, PAGE_RUNS, { userId })
    await countPage(runs, ports)
    if (runs.length < PAGE_RUNS) return
    after = cursor
  }
}

async function savedCursor({ tables }: CountPorts): Promise<string | undefined> {
  const saved = await tables.selectFrom('usage_walk').select('cursor').executeTakeFirst()
  return saved && String(saved.cursor)
}

async function countPage(runs: readonly RunSummary[], ports: CountPorts, cursor?: string): Promise<void> {
  const counts: CountedRun[] = []
  // A live run changes again when it ends.
  for (const run of runs.filter((each) => !isLive(each))) {
    const result = await count(run, ports)
    if (result) counts.push(result)
  }
  const { tables, skip } = ports
  try {
    await savePage({ counted: counts, cursor }, tables)
  } catch (error) {
    if (isServiceError(error, 'unavailable')) throw error
    // One run cannot be stored: stored one by one, only that one is left out.
    for (const each of counts) await savePage({ counted: [each] }, tables).catch(unlessUnavailable(skip))
    await savePage({ counted: [], cursor }, tables)
  }
}

/** Stores a page in one transaction. */
async function savePage(
  { counted, cursor }: { readonly counted: readonly CountedRun[]; readonly cursor?: string | undefined },
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

/** Runs that the server answered itself are not charged. */
async function count(
  { id }: RunSummary,
  { store, skillsUsed, skip }: CountPorts,
): Promise<CountedRun | undefined> {
  const [run, entries] = await Promise.all([store.get(id), readStructure(id, store)])
  if (!run || run.request.answer !== undefined) return undefined
  try {
    const result = entries && countRunUsage(entries, skillsUsed(run.agent))
    return result && { run, ...result }
  } catch (error) {
    skip(error)
    return undefined
  }
}

async function readStructure(id: string, store: Store): Promise<LogEntry[] | undefined> {
  try {
    return await store.read(id, FIRST_SEQ, { structure: true, limit: NO_LIMIT, maxBytes: MAX_LOG_BYTES })
  } catch (error) {
    if (isServiceError(error, 'unavailable')) throw error
    // The log is deleted, pruned or damaged: there is nothing to count, and other runs must not wait.
    return undefined
  }
}

async function save({ run, usage, parts, isFree }: CountedRun, tables: UsageDatabase): Promise<void> {
  if (isFree) return void (await tables.deleteFrom('usage_runs').where('run_id', '=', run.id).execute())
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
