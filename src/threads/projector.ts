import type { Database } from '../db/index.ts'
import { isServiceError } from '../errors.ts'
import {
  emptyMessage,
  fold,
  isLive,
  isTerminal,
  textOf,
  type LogEntry,
  type Message,
  type Run,
} from '../events/index.ts'
import { pause, type Store } from '../log/index.ts'
import { toAssistantMessage, toColumns } from './message-rows.ts'
import { threadTables, type ThreadDatabase } from './tables.ts'

/** A running answer's row is renewed so often, in ms. */
const RENEW_MS = 5000
const PASS_MS = 1000
const PAGE = 1000
const TITLE_LENGTH = 80

/** Fills the message rows from the logs. It is pulled before rows are read; the passes in between are for those who read the table itself. */
export interface Projector {
  /** Brings a thread's rows up to its runs' logs. */
  upTo(threadId: string): Promise<void>
  /** Walks what changed, steadily, until `signal` aborts: a row at a run's start, at each tool's end, every 5 s, at its end. */
  keepUp(signal: AbortSignal, report: (error: unknown) => void): Promise<void>
}

export function projector(db: Database, store: Store): Projector {
  const tables = threadTables(db)
  return {
    async upTo(threadId) {
      for (let before: string | undefined; ;) {
        const runs = await store.list(threadId, { limit: 20, ...(before !== undefined && { before }) })
        for (const run of runs) {
          const done = await project(tables, store, run)
          // Runs of a thread follow one another: what is older than one that ended and is whole is whole.
          if (done === 'whole already') return
        }
        before = runs.at(-1)?.id
        if (before === undefined) return
      }
    },

    async keepUp(signal, report) {
      const renewed = new Map<string, Renewed>()
      while (!signal.aborted) {
        await pass(tables, store, renewed).catch(report)
        await pause(PASS_MS, signal)
      }
    },
  }
}

/** When a live run's row was last written, and from how much of its log. */
type Renewed = { readonly at: number; readonly seq: number }

/** One look at what changed since the last. */
async function pass(tables: ThreadDatabase, store: Store, renewed: Map<string, Renewed>): Promise<void> {
  const saved = await tables
    .selectFrom('projections')
    .select('cursor')
    .where('name', '=', 'messages')
    .executeTakeFirst()
  const { runs, cursor } = await store.changed(saved?.cursor ?? 0, PAGE)
  for (const run of runs) {
    const last = renewed.get(run.id)
    if (!isLive(run)) renewed.delete(run.id)
    else if (last && !(await isDue(store, run, last))) continue
    else renewed.set(run.id, { at: performance.now(), seq: run.lastSeq })
    await project(tables, store, run)
  }
  // A live run keeps its place, or what it says next would be seen but not the row that is due in 5 s.
  if (runs.some(isLive) || cursor === saved?.cursor) return
  const place = { name: 'messages', cursor }
  await tables
    .insertInto('projections')
    .values(place)
    .onConflict((on) => on.column('name').doUpdateSet({ cursor }))
    .execute()
}

/** Every 5 s, and at each tool's end. */
async function isDue(store: Store, run: Run, { at, seq }: Renewed): Promise<boolean> {
  if (run.lastSeq === seq) return false
  if (performance.now() - at >= RENEW_MS) return true
  const news = await store.read(run.id, seq, { structure: true })
  return news.some(({ event }) => event.type === 'tool.returned' || event.type === 'tool.failed')
}

async function project(
  tables: ThreadDatabase,
  store: Store,
  run: Run,
): Promise<'whole already' | 'projected'> {
  const row = await rowOf(tables, run)
  if (row && row.projected_seq >= run.lastSeq) return isLive(run) ? 'projected' : 'whole already'

  let message = row ? toAssistantMessage(row) : emptyMessage(run.messageId)
  let last: LogEntry | undefined
  try {
    for (;;) {
      const entries = await store.read(run.id, last?.seq ?? row?.projected_seq ?? 0, { limit: PAGE })
      for (const { event } of entries) message = fold(message, event)
      last = entries.at(-1) ?? last
      if (entries.length < PAGE || (last && isTerminal(last.event))) break
    }
  } catch (error) {
    // The thread was deleted meanwhile.
    if (isServiceError(error, 'not-found')) return 'projected'
    throw error
  }
  if (last) await write(tables, run, message, last)
  return 'projected'
}

function rowOf(tables: ThreadDatabase, run: Run) {
  return tables.selectFrom('chat_messages').selectAll().where('id', '=', run.messageId).executeTakeFirst()
}

/** All rows of a run in one transaction; one that is further on already is left as it is. */
async function write(tables: ThreadDatabase, run: Run, message: Message, last: LogEntry): Promise<void> {
  const { parentId, request } = run
  const user: Message = { role: 'user', id: request.messageId, parts: request.input }
  const earlier = [...(request.history ?? []), user]
  const createdAt = new Date(run.createdAt).toISOString()
  const common = { conversation_id: run.threadId, timestamp: createdAt, created_at: createdAt }
  const columns = toColumns(message)
  await tables.transaction().execute(async (trx) => {
    const thread = await trx
      .selectFrom('conversations')
      .select('title')
      .where('id', '=', run.threadId)
      .executeTakeFirst()
    if (!thread) return
    let parent = parentId ?? null
    for (const turn of earlier) {
      const clientId = turn === user ? (request.clientId ?? null) : null
      const row = { ...common, ...toColumns(turn), id: turn.id, parent_id: parent, client_id: clientId }
      await trx
        .insertInto('chat_messages')
        .values(row)
        .onConflict((on) => on.doNothing())
        .execute()
      parent = turn.id
    }
    const own = { ...columns, projected_seq: last.seq }
    await trx
      .insertInto('chat_messages')
      .values({ ...common, ...own, id: message.id, parent_id: parent, run_id: run.id })
      .onConflict((on) =>
        on.column('id').doUpdateSet(own).where('chat_messages.projected_seq', '<', last.seq),
      )
      .execute()
    const title = thread.title ?? textOf(user).replaceAll(/\s+/g, ' ').trim().slice(0, TITLE_LENGTH)
    const updated_at = new Date(last.at).toISOString()
    await trx.updateTable('conversations').set({ updated_at, title }).where('id', '=', run.threadId).execute()
  })
}
