import { sql } from 'kysely'

import type { Database } from '../db/index.ts'
import { isServiceError } from '../errors.ts'
import { emptyMessage, fold, isLive, textOf, type LogEntry, type Message, type Run } from '../events/index.ts'
import { pause, type Store } from '../log/index.ts'
import { toAssistantMessage, toColumns } from './message-rows.ts'
import { threadTables, type MessageRow, type ThreadDatabase } from './tables.ts'

/** A running answer's row is renewed so often, in ms. */
const RENEW_MS = 5000
const PASS_MS = 1000
const PAGE = 1000
const NAME = 'messages'
const TITLE_LENGTH = 80

/** Fills the message rows from the logs. It is pulled before rows are read; the passes in between are for those who read the table itself. */
export interface Projector {
  /** Brings a thread's rows up to its runs' logs. */
  upTo(threadId: string): Promise<void>
  /** Brings the rows of all runs that have ended up to their logs: for lists of conversations. */
  catchUp(): Promise<void>
  /** Walks what changed, steadily, until `signal` aborts: a row at a run's start, at each tool's end, every 5 s, at its end. */
  keepUp(signal: AbortSignal, report: (error: unknown) => void): Promise<void>
}

export function projector(db: Database, store: Store): Projector {
  const tables = threadTables(db)
  const place: Place = { cursor: undefined, owing: new Map() }
  let last: Promise<unknown> = Promise.resolve()
  /** One pass at a time: they share their place. */
  const catchUp = (): Promise<void> => {
    const next = last.then(() => passes(tables, store, place))
    last = next.catch(() => undefined)
    return next
  }
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

    catchUp,
    async keepUp(signal, report) {
      while (!signal.aborted) {
        await catchUp().catch(report)
        await pause(PASS_MS, signal)
      }
    },
  }
}

/** How far the passes have come: all changes up to `cursor` are in rows, but for those of the live runs that still owe some. */
type Place = { cursor: number | undefined; readonly owing: Map<string, Renewed> }
/** When a live run's row was last written, from how much of its log, and the cursor from which on it owes. */
type Renewed = { readonly at: number; readonly seq: number; readonly since: number }

async function passes(tables: ThreadDatabase, store: Store, place: Place): Promise<void> {
  while (await pass(tables, store, place));
}

/** One look at what changed since the last. Tells whether there may be more. */
async function pass(tables: ThreadDatabase, store: Store, place: Place): Promise<boolean> {
  const saved = await savedCursor(tables)
  const since = place.cursor ?? saved
  const { runs, cursor } = await store.changed(since, PAGE)
  for (const { id } of runs) if (!place.owing.has(id)) place.owing.set(id, { at: -Infinity, seq: 0, since })
  for (const [id, last] of place.owing) {
    const run = runs.find((changed) => changed.id === id) ?? (await store.get(id))
    if (!run || !isLive(run)) place.owing.delete(id)
    if (!run || (isLive(run) && !(await isDue(store, run, last)))) continue
    await project(tables, store, run)
    if (isLive(run)) place.owing.set(id, { ...last, at: performance.now(), seq: run.lastSeq })
  }
  place.cursor = cursor
  // Whoever starts anew begins where nothing is owed.
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
      const after = last?.seq ?? row?.projected_seq ?? 0
      const entries = await store.read(run.id, after, { limit: PAGE, joined: true })
      for (const { event } of entries) message = fold(message, event)
      last = entries.at(-1) ?? last
      // A live run may have said more meanwhile: the next look is soon.
      if (entries.length === 0 || (last && last.seq >= run.lastSeq)) break
    }
  } catch (error) {
    // The thread was deleted meanwhile, or the log has gone: then nothing is owed that could be paid.
    if (isServiceError(error, 'not-found') || isServiceError(error, 'log-pruned')) return 'projected'
    throw error
  }
  if (last) await write(tables, run, { message, last, isNew: !row })
  return 'projected'
}

function rowOf(tables: ThreadDatabase, run: Run) {
  return tables.selectFrom('chat_messages').selectAll().where('id', '=', run.messageId).executeTakeFirst()
}

type Said = { readonly message: Message; readonly last: LogEntry; readonly isNew: boolean }

/** All rows of a run in one transaction; one that is further on already is left as it is. */
async function write(tables: ThreadDatabase, run: Run, { message, last, isNew }: Said): Promise<void> {
  const createdAt = new Date(run.createdAt).toISOString()
  const common = { conversation_id: run.threadId, timestamp: createdAt, created_at: createdAt }
  const said = { timestamp: new Date(last.at).toISOString(), projected_seq: last.seq }
  const own = { ...toColumns(message), ...said }
  await tables.transaction().execute(async (trx) => {
    const ofThread = trx.selectFrom('conversations').select('title').where('id', '=', run.threadId)
    const thread = await ofThread.executeTakeFirst()
    if (!thread) return
    if (isNew) await writeTurns(trx, run, common)
    const row = {
      ...common,
      ...own,
      position: next,
      id: message.id,
      parent_id: run.request.messageId,
      run_id: run.id,
    }
    await trx
      .insertInto('chat_messages')
      .values(row)
      .onConflict((on) =>
        on.column('id').doUpdateSet(own).where('chat_messages.projected_seq', '<', last.seq),
      )
      .execute()
    const change = { updated_at: new Date(last.at).toISOString(), title: thread.title ?? titleOf(run) }
    await trx.updateTable('conversations').set(change).where('id', '=', run.threadId).execute()
  })
}

type Common = Pick<MessageRow, 'conversation_id' | 'timestamp' | 'created_at'>

/** The user's message, and before it what the client told of and we did not know. */
async function writeTurns(trx: ThreadDatabase, { parentId, request }: Run, common: Common): Promise<void> {
  const { messageId, input, sentAt } = request
  const user: Message = { role: 'user', id: messageId, parts: input, ...(sentAt !== undefined && { sentAt }) }
  let parent = parentId ?? null
  for (const turn of [...(request.history ?? []), user]) {
    const client_id = turn === user ? (request.clientId ?? null) : null
    const timestamp = turn.sentAt ?? common.timestamp
    const row = {
      ...common,
      ...toColumns(turn),
      timestamp,
      id: turn.id,
      parent_id: parent,
      client_id,
      position: next,
    }
    await trx
      .insertInto('chat_messages')
      .values(row)
      .onConflict((on) => on.doNothing())
      .execute()
    parent = turn.id
  }
}

/** Rows are in the order in which they were written. */
const next = sql<number>`(SELECT coalesce(max(position), 0) + 1 FROM chat_messages)`

/** A conversation is called by its first words until somebody names it. */
function titleOf({ request }: Run): string {
  const user: Message = { role: 'user', id: request.messageId, parts: request.input }
  return textOf(user).replaceAll(/\s+/g, ' ').trim().slice(0, TITLE_LENGTH)
}
