import { sql } from 'kysely'

import { coalesceByKey, fairQueue, waitAtMost, type FairQueue } from '../async/index.ts'
import { forLargeRows, jsonStrings, prepareQuery, skipUnwritable, type Database } from '../database/index.ts'
import { isDetached, isLive, type RunSummary } from '../events/index.ts'
import { pause, type Store, type UserChanges } from '../log/index.ts'
import { ALL_PARTS, PROJECTION_PARTS, readCursors, saveCursors } from './projection-cursors.ts'
import { projectRun, type Projection } from './project-run.ts'
import { hasNews, inTurns, isDue, type Renewal } from './row-renewal.ts'
import { unlimitedStorage, type ThreadStorage } from './thread-storage.ts'
import { threadTables, type ThreadDatabase } from './tables.ts'

const PASS_MS = 2000
const PAGE = 1000
/** How long a list waits for the changes of its user, in ms. Then it shows the rows as they are. */
const MAX_LIST_WAIT_MS = 1000
/** The latest runs of a thread that are looked at together. */
const PAGE_RUNS = 20
/** The changed runs of a user that are looked at together. */
const PAGE_USER_RUNS = 100
/**
 * Writes message rows from the logs. Readers call it first; the passes in between are for direct readers of the
 * table.
 */
export interface Projector {
  /** Projects all runs of a thread. */
  upTo(threadId: string): Promise<void>
  /** The same for those who only read: where nothing can be stored now, they are shown the rows as they are. */
  refresh(threadId: string): Promise<void>
  /**
   * Projects the runs of a user that have changed, for the user's lists. It waits for 1 s at most, and for no other
   * user's runs, and shows the rows as they are where nothing can be stored now.
   */
  catchUp(userId: string): Promise<void>
  /** Projects the changed runs of all users, or fewer if `signal` aborts. Only background work may wait for it. */
  catchUpAll(signal?: AbortSignal): Promise<void>
  /** The last change of the store up to which the rows of all users are written. Undefined before the first pass. */
  projectedTo(): Promise<string | undefined>
  /**
   * Projects changes until `signal` aborts: at a run's start, at each tool's end, every 5 s and at the run's end.
   * `parts`: which of the `PROJECTION_PARTS` of all threads; all of them by default.
   */
  keepUp(signal: AbortSignal, report: (error: unknown) => void, parts?: readonly number[]): Promise<void>
}

export type ProjectorOptions = {
  /** The source of a new thread's title: its first message, or a model (see `titles`). */
  readonly titles?: 'words' | 'model'
  /** The length of titles of an agent, if it differs from the default. */
  readonly titleLength?: (agent: string) => number | undefined
  /** What a run may produce, in bytes. */
  readonly maxRunBytes?: number
  /** Default: nothing is limited or counted. */
  readonly storage?: ThreadStorage
  /** Where the changes of threads are announced. Default: nowhere. */
  readonly changes?: UserChanges
  /** In which histories are written. */
  readonly slices?: FairQueue
}

const DEFAULT_RUN_BYTES = 16 * 1024 * 1024

export function createProjector(db: Database, store: Store, options: ProjectorOptions = {}): Projector {
  const { titles = 'words', titleLength = () => undefined, maxRunBytes = DEFAULT_RUN_BYTES } = options
  const tables = threadTables(db)
  const work: Work = {
    tables,
    largeTables: threadTables(forLargeRows(db)),
    store,
    writing: new Map(),
    slices: options.slices ?? fairQueue(),
    storage: options.storage ?? unlimitedStorage,
    maxRunBytes,
    titleLength,
    titleBy: titles === 'model' ? 'wanted' : 'words',
    ...rowReaders(db, tables),
  }
  const place = newPlace(ALL_PARTS)
  let last: Promise<unknown> = Promise.resolve()
  /** Passes do not overlap, because they share the cursor. */
  const catchUpAll = (signal?: AbortSignal): Promise<void> => {
    const next = last.then(() => passes(work, place, signal))
    last = next.catch(() => undefined)
    return next
  }
  const catchUpUser = coalesceByKey((userId) => passUser(work, userId))
  return {
    upTo: (threadId) => upTo(work, threadId),
    refresh: (threadId) => skipUnwritable(upTo(work, threadId)),
    catchUp: (userId) => waitAtMost(MAX_LIST_WAIT_MS, skipUnwritable(catchUpUser(userId))),
    catchUpAll,
    projectedTo: async () => (await readCursors(tables)).written,
    async keepUp(signal, report, parts = ALL_PARTS) {
      const own = newPlace(parts)
      while (!signal.aborted) {
        await passes(work, own, signal).catch(report)
        await pause(PASS_MS, signal)
      }
    },
  }
}

type Work = Projection & ReturnType<typeof rowReaders>

/** Runs at every start of a run, so it reads only how far the rows are. */
function rowReaders(db: Database, tables: ThreadDatabase) {
  const progressOf = prepareQuery<{ ids: string }, { id: string; seq: number }>(db, (hole) =>
    tables
      .selectFrom('chat_messages')
      .select(['id', 'projected_seq as seq'])
      .where('id', 'in', jsonStrings(db, hole('ids'))),
  )
  return {
    /** The last projected entry of the messages of runs, by message id. */
    async areAt(runs: readonly Pick<RunSummary, 'messageId'>[]): Promise<ReadonlyMap<string, number>> {
      const found = await progressOf({ ids: JSON.stringify(runs.map(({ messageId }) => messageId)) })
      return new Map(found.map(({ id, seq }) => [id, seq]))
    },
    /** Runs of a thread without an end in its rows. */
    incomplete: prepareQuery<{ threadId: string }, { run_id: string | null; seq: number }>(db, (hole) =>
      tables
        .selectFrom('chat_messages')
        .select(['run_id', 'projected_seq as seq'])
        .where('conversation_id', '=', hole('threadId'))
        .where('finish_reason', '=', sql.lit('incomplete')),
    ),
  }
}

/** Oldest first, because rows are in the order of the messages. */
async function upTo(work: Work, threadId: string): Promise<void> {
  const { store } = work
  const incomplete = work.incomplete({ threadId })
  // It is awaited last. If something fails before, its error is the same.
  incomplete.catch(() => undefined)
  const owed = new Map<string, RunSummary>()
  const runIds = new Set<string>()
  for (let before: string | undefined, isWhole = false; !isWhole;) {
    const runs = await store.list(threadId, { limit: PAGE_RUNS, ...(before !== undefined && { before }) })
    const at = await work.areAt(runs)
    for (const run of runs) {
      const isCurrent = (at.get(run.messageId) ?? -1) >= run.lastSeq
      // Runs of a thread follow one another: runs before a completely projected one are in rows.
      isWhole = isCurrent && !isLive(run)
      if (isWhole) break
      runIds.add(run.id)
      if (!isCurrent) owed.set(run.id, run)
    }
    if (runs.length < PAGE_RUNS) break
    before = runs.at(-1)?.id
  }
  // A queued run may end before the run that it waits for.
  for (const { run_id: id, seq } of await incomplete) {
    const [run] = id === null || runIds.has(id) ? [] : await store.summaries([id])
    if (run && run.lastSeq > seq) owed.set(run.id, run)
  }
  for (const run of [...owed.values()].toReversed()) await projectRun(work, run)
}

/**
 * Projects a run, whose row has its entries up to `seq`. If it has no row yet, earlier messages of its thread are
 * written first. The run before it has a row only if all before that have one.
 */
async function projectNext(work: Work, run: RunSummary, seq: number | undefined): Promise<void> {
  if (seq !== undefined) return projectRun(work, run)
  const [latest, previous] = await work.store.list(run.threadId, { limit: 2 })
  const isLatest = latest?.id === run.id
  const isNext = isLatest && (!previous || (await work.areAt([previous])).size > 0)
  return isNext ? projectRun(work, run, true) : upTo(work, run.threadId)
}

/** Projects what one user's runs have changed since the passes of all users have seen changes. */
async function passUser(work: Work, userId: string): Promise<void> {
  const { tables, store } = work
  const cursors = await readCursors(tables)
  for (let after = cursors.seen ?? cursors.written; ;) {
    const { runs, cursor } = await store.changed(after, PAGE_USER_RUNS, { userId })
    const at = await work.areAt(runs)
    for (const run of runs) {
      const seq = at.get(run.messageId)
      if (isDetached(run) || (seq !== undefined && seq >= run.lastSeq)) continue
      if (seq === undefined || run.status !== 'running' || (await hasNews(store, run, seq)))
        await projectNext(work, run, seq)
    }
    if (runs.length < PAGE_USER_RUNS) return
    after = cursor
  }
}

/** The position of the passes: all changes up to `cursor` are in rows, except those of running runs that are due. */
type Place = {
  readonly parts: readonly number[]
  cursor: string | undefined
  readonly owing: Map<string, Renewal>
}

function newPlace(parts: readonly number[]): Place {
  return { parts, cursor: undefined, owing: new Map() }
}

async function passes(work: Work, place: Place, signal?: AbortSignal): Promise<void> {
  while (await pass(work, place, signal));
}

/**
 * Projects the changes since the last pass. Returns whether there may be more. A server that closes waits for one run
 * at most: the others stay owing.
 */
async function pass(work: Work, place: Place, signal?: AbortSignal): Promise<boolean> {
  const { tables, store } = work
  const saved = await readCursors(tables, place.parts)
  const since = place.cursor ?? saved.written
  const ofParts = { parts: place.parts, of: PROJECTION_PARTS }
  const isAll = place.parts.length === PROJECTION_PARTS
  const { runs, cursor } = await store.changed(since, PAGE, isAll ? undefined : ofParts)
  for (const run of runs) {
    // Detached runs have no rows.
    if (place.owing.has(run.id) || isDetached(run)) continue
    place.owing.set(run.id, { userId: run.userId, at: -Infinity, tookMs: 0, seq: 0, since })
  }
  const changed = new Map(runs.map((run) => [run.id, run]))
  const at = await work.areAt(runs)
  for (const [id, last] of inTurns(place.owing)) {
    if (signal?.aborted) break
    const run = changed.get(id) ?? (await store.summaries([id]))[0]
    // A waiting or queued run appears as a change when it continues.
    const goesOn = run?.status === 'running'
    if (!goesOn) place.owing.delete(id)
    if (!run || (goesOn && !(await isDue(store, run, last)))) continue
    const seq = (changed.has(id) ? at : await work.areAt([run])).get(run.messageId)
    const startedAt = performance.now()
    if (seq === undefined || seq < run.lastSeq) await projectNext(work, run, seq)
    const endedAt = performance.now()
    if (goesOn) place.owing.set(id, { ...last, at: endedAt, tookMs: endedAt - startedAt, seq: run.lastSeq })
  }
  place.cursor = cursor
  // After a restart, the pass begins at this cursor: all earlier changes are projected. The first run owes longest.
  const [oldest] = place.owing.values()
  const paid = oldest ? oldest.since : cursor
  await saveCursors(tables, place.parts, {
    written: paid === saved.written ? undefined : paid,
    seen: cursor === saved.seen || cursor === paid ? undefined : cursor,
  })
  return runs.length >= PAGE && !signal?.aborted
}
