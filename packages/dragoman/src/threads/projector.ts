import { sql } from 'kysely'

import { jsonStrings, prepareQuery, type Database } from '../database/index.ts'
import { isDetached, isLive, type Run, type RunEvent } from '../events/index.ts'
import { pause, type Store } from '../log/index.ts'
import { projectRun, type Projection } from './project-run.ts'
import { threadTables, type ThreadDatabase } from './tables.ts'

/** The interval in ms at which the row of a running answer is updated. */
const RENEW_MS = 5000
const PASS_MS = 1000
const PAGE = 1000
/** The latest runs of a thread that are looked at together. */
const PAGE_RUNS = 20
const NAME = 'messages'

/**
 * Writes message rows from the logs. Readers call it first; the passes in between are for direct readers of the
 * table.
 */
export interface Projector {
  /** Projects all runs of a thread. */
  upTo(threadId: string): Promise<void>
  /** Projects all runs that have ended, for lists of threads. */
  catchUp(): Promise<void>
  /** Projects changes until `signal` aborts: at a run's start, at each tool's end, every 5 s and at the run's end. */
  keepUp(signal: AbortSignal, report: (error: unknown) => void): Promise<void>
}

export type ProjectorOptions = {
  /** The source of a new thread's title: its first message, or a model (see `titles`). */
  readonly titles?: 'words' | 'model'
  /** The length of titles of an agent, if it differs from the default. */
  readonly titleLength?: (agent: string) => number | undefined
}

export function createProjector(
  db: Database,
  store: Store,
  { titles = 'words', titleLength = () => undefined }: ProjectorOptions = {},
): Projector {
  const tables = threadTables(db)
  const work: Work = {
    tables,
    store,
    titleLength,
    titleBy: titles === 'model' ? 'wanted' : 'words',
    ...rowReaders(db, tables),
  }
  const place: Place = { cursor: undefined, owing: new Map() }
  let last: Promise<unknown> = Promise.resolve()
  /** Passes do not overlap, because they share the cursor. */
  const catchUp = (): Promise<void> => {
    const next = last.then(() => passes(work, place))
    last = next.catch(() => undefined)
    return next
  }
  return {
    upTo: (threadId) => upTo(work, threadId),
    catchUp,
    async keepUp(signal, report) {
      while (!signal.aborted) {
        await catchUp().catch(report)
        await pause(PASS_MS, signal)
      }
    },
  }
}

type Work = Projection & ReturnType<typeof rowReaders>

/** Runs at every start of a run, so it reads only how far the rows are. */
function rowReaders(db: Database, tables: ThreadDatabase) {
  return {
    /** The last projected entry, by message id. */
    isAt: prepareQuery<{ id: string }, { seq: number }>(db, (hole) =>
      tables.selectFrom('chat_messages').select('projected_seq as seq').where('id', '=', hole('id')),
    ),
    /** The same of several messages, whose ids come as JSON. */
    areAt: prepareQuery<{ ids: string }, { id: string; seq: number }>(db, (hole) =>
      tables
        .selectFrom('chat_messages')
        .select(['id', 'projected_seq as seq'])
        .where('id', 'in', jsonStrings(db, hole('ids'))),
    ),
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
  const owed = new Map<string, Run>()
  const runIds = new Set<string>()
  for (let before: string | undefined, isWhole = false; !isWhole;) {
    const runs = await store.list(threadId, { limit: PAGE_RUNS, ...(before !== undefined && { before }) })
    const rows = await work.areAt({ ids: JSON.stringify(runs.map(({ messageId }) => messageId)) })
    const at = new Map(rows.map(({ id, seq }) => [id, seq]))
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
    const run = id === null || runIds.has(id) ? undefined : await store.get(id)
    if (run && run.lastSeq > seq) owed.set(run.id, run)
  }
  for (const run of [...owed.values()].toReversed()) await projectRun(work, run)
}

/** The position of the passes: all changes up to `cursor` are in rows, except those of running runs that are due. */
type Place = { cursor: string | undefined; readonly owing: Map<string, Renewed> }
/** When and up to which entry a running run's row was written, and the cursor of its first missing change. */
type Renewed = { readonly at: number; readonly seq: number; readonly since: string | undefined }

async function passes(work: Work, place: Place): Promise<void> {
  while (await pass(work, place));
}

/** Projects the changes since the last pass. Returns whether there may be more. */
async function pass(work: Work, place: Place): Promise<boolean> {
  const { tables, store } = work
  const saved = await savedCursor(tables)
  const since = place.cursor ?? saved
  const { runs, cursor } = await store.changed(since, PAGE)
  for (const run of runs) {
    // Detached runs have no rows.
    if (place.owing.has(run.id) || isDetached(run)) continue
    place.owing.set(run.id, { at: -Infinity, seq: 0, since })
  }
  for (const [id, last] of place.owing) {
    const run = runs.find((changed) => changed.id === id) ?? (await store.get(id))
    // A waiting or queued run appears as a change when it continues.
    const goesOn = run?.status === 'running'
    if (!goesOn) place.owing.delete(id)
    if (!run || (goesOn && !(await isDue(store, run, last)))) continue
    // Earlier messages of the thread are written first.
    const [row] = await work.isAt({ id: run.messageId })
    if (row) await projectRun(work, run)
    else await upTo(work, run.threadId)
    if (goesOn) place.owing.set(id, { ...last, at: performance.now(), seq: run.lastSeq })
  }
  place.cursor = cursor
  // After a restart, the pass begins at this cursor: all earlier changes are projected. The first run owes longest.
  const [oldest] = place.owing.values()
  const paid = oldest ? oldest.since : cursor
  if (paid !== undefined && paid !== saved) await saveCursor(tables, paid)
  return runs.length >= PAGE
}

async function savedCursor(tables: ThreadDatabase): Promise<string | undefined> {
  const saved = await tables
    .selectFrom('projections')
    .select('cursor')
    .where('name', '=', NAME)
    .executeTakeFirst()
  return saved && String(saved.cursor)
}

async function saveCursor(tables: ThreadDatabase, cursor: string): Promise<void> {
  const row = { name: NAME, cursor }
  await tables
    .insertInto('projections')
    .values(row)
    .onConflict((on) => on.column('name').doUpdateSet({ cursor }))
    .execute()
}

const AT_ONCE: ReadonlySet<RunEvent['type']> = new Set([
  'tool.returned',
  'tool.failed',
  'tool.asked',
  'tool.answered',
  'run.waiting',
  'run.resumed',
])

/** Whether a row is due: every 5 s, at each tool's end, and at once for a question or an answer. */
async function isDue(store: Store, run: Run, { at, seq }: Renewed): Promise<boolean> {
  if (run.lastSeq === seq) return false
  if (performance.now() - at >= RENEW_MS) return true
  const news = await store.read(run.id, seq, { structure: true })
  return news.some(({ event }) => AT_ONCE.has(event.type))
}
