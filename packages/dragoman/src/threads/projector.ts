import { sql } from 'kysely'

import { prepareQuery, type Database } from '../database/index.ts'
import { isDetached, isLive, type Run, type RunEvent } from '../events/index.ts'
import { pause, type Store } from '../log/index.ts'
import { projectRun, type Projection } from './project-run.ts'
import { threadTables, type ThreadDatabase } from './tables.ts'

/** A running answer's row is renewed so often, in ms. */
const RENEW_MS = 5000
const PASS_MS = 1000
const PAGE = 1000
const NAME = 'messages'

/**
 * Fills the message rows from the logs. It is pulled before rows are read; the passes in between are for those
 * who read the table itself.
 */
export interface Projector {
  /** Brings a thread's rows up to its runs' logs. */
  upTo(threadId: string): Promise<void>
  /** Brings the rows of all runs that have ended up to their logs: for lists of conversations. */
  catchUp(): Promise<void>
  /**
   * Walks what changed, steadily, until `signal` aborts: a row at a run's start, at each tool's end, every 5 s,
   * at its end.
   */
  keepUp(signal: AbortSignal, report: (error: unknown) => void): Promise<void>
}

export type ProjectorOptions = {
  /**
   * Whose words a new conversation's title is in the end: those of its first message, or a model's, which
   * `titles` asks for.
   */
  readonly titles?: 'words' | 'model'
  /** How many characters of them, by agent, where an agent says so. */
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
  /** One pass at a time: they share their place. */
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

/** Asked at every start of a run: of the rows no more is read than how far they are. */
function rowReaders(db: Database, tables: ThreadDatabase) {
  return {
    /** How far a run's message is, by the message's id. */
    isAt: prepareQuery<{ id: string }, { seq: number }>(db, (hole) =>
      tables.selectFrom('chat_messages').select('projected_seq as seq').where('id', '=', hole('id')),
    ),
    /** Runs of a thread that have not ended, as far as its rows know. */
    incomplete: prepareQuery<{ threadId: string }, { run_id: string | null }>(db, (hole) =>
      tables
        .selectFrom('chat_messages')
        .select('run_id')
        .where('conversation_id', '=', hole('threadId'))
        .where('finish_reason', '=', sql.lit('incomplete')),
    ),
  }
}

/** The oldest first: rows stand in the order of what was said. */
async function upTo(work: Work, threadId: string): Promise<void> {
  const { store } = work
  const owed = new Map<string, Run>()
  for (let before: string | undefined, isWhole = false; !isWhole;) {
    const runs = await store.list(threadId, { limit: 20, ...(before !== undefined && { before }) })
    for (const run of runs) {
      const [row] = await work.isAt({ id: run.messageId })
      // Runs of a thread follow one another: what is older than one that ended and is whole has its rows.
      isWhole = row !== undefined && row.seq >= run.lastSeq && !isLive(run)
      if (isWhole) break
      owed.set(run.id, run)
    }
    before = runs.at(-1)?.id
    if (before === undefined) break
  }
  // But one that waits in a queue may end before the one that it waits for.
  for (const { run_id: id } of await work.incomplete({ threadId })) {
    const run = id === null || owed.has(id) ? undefined : await store.get(id)
    if (run) owed.set(run.id, run)
  }
  for (const run of [...owed.values()].toReversed()) await projectRun(work, run)
}

/**
 * How far the passes have come: all changes up to `cursor` are in rows, but for those of the running runs that
 * still owe some.
 */
type Place = { cursor: number | undefined; readonly owing: Map<string, Renewed> }
/** When a running run's row was last written, from how much of its log, and the cursor from which on it owes. */
type Renewed = { readonly at: number; readonly seq: number; readonly since: number }

async function passes(work: Work, place: Place): Promise<void> {
  while (await pass(work, place));
}

/** One look at what changed since the last. Tells whether there may be more. */
async function pass(work: Work, place: Place): Promise<boolean> {
  const { tables, store } = work
  const saved = await savedCursor(tables)
  const since = place.cursor ?? saved
  const { runs, cursor } = await store.changed(since, PAGE)
  for (const run of runs) {
    // What stands in no conversation has no rows.
    if (place.owing.has(run.id) || isDetached(run)) continue
    place.owing.set(run.id, { at: -Infinity, seq: 0, since })
  }
  for (const [id, last] of place.owing) {
    const run = runs.find((changed) => changed.id === id) ?? (await store.get(id))
    // Whatever becomes of one that waits or is queued is told as a change.
    const goesOn = run?.status === 'running'
    if (!goesOn) place.owing.delete(id)
    if (!run || (goesOn && !(await isDue(store, run, last)))) continue
    // What was said before it in its thread comes before it.
    const [row] = await work.isAt({ id: run.messageId })
    if (row) await projectRun(work, run)
    else await upTo(work, run.threadId)
    if (goesOn) place.owing.set(id, { ...last, at: performance.now(), seq: run.lastSeq })
  }
  place.cursor = cursor
  // After a restart, the pass begins at this cursor: all earlier changes are projected.
  const paid = Math.min(cursor, ...[...place.owing.values()].map((owed) => owed.since))
  if (paid !== saved) await saveCursor(tables, paid)
  return runs.length === PAGE
}

async function savedCursor(tables: ThreadDatabase): Promise<number> {
  const saved = await tables
    .selectFrom('projections')
    .select('cursor')
    .where('name', '=', NAME)
    .executeTakeFirst()
  return saved?.cursor ?? 0
}

async function saveCursor(tables: ThreadDatabase, cursor: number): Promise<void> {
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

/** Every 5 s, and at each tool's end; at once where a question is asked or answered. */
async function isDue(store: Store, run: Run, { at, seq }: Renewed): Promise<boolean> {
  if (run.lastSeq === seq) return false
  if (performance.now() - at >= RENEW_MS) return true
  const news = await store.read(run.id, seq, { structure: true })
  return news.some(({ event }) => AT_ONCE.has(event.type))
}
