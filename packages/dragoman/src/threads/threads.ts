import { prepareQuery, type Database } from '../database/index.ts'
import { ServiceError } from '../errors.ts'
import { deleteThread, wasDeleted } from './thread-deletion.ts'
import { newRow, toThread, type NewThread, type Thread } from './thread-rows.ts'
import { asCounted, unlimitedStorage, type ThreadStorage } from './thread-storage.ts'
import { threadTables, type ConversationRow, type ThreadDatabase } from './tables.ts'

export interface Threads {
  /**
   * Finds or creates a thread. A new name creates one with that name, no name one without.
   * @throws ServiceError `not-found` for an id of ours that is not the user's; `rate-limited` and `storage-full` if the
   * user may create none now
   */
  open(named: NewThread): Promise<{ thread: Thread; isNew: boolean }>
  /**
   * Like `open`, for a name that was not found. Finds the thread that another request has created meanwhile.
   * For a run, which is counted itself.
   * @throws ServiceError `not-found` for an id of ours
   */
  create(named: NewThread): Promise<{ thread: Thread; isNew: boolean }>
  /** By our id or the client's name. */
  find(userId: string, name: string, agent?: string): Promise<Thread | undefined>
  /**
   * Like `find`, but undefined only for a new name.
   * @throws ServiceError `not-found` for the name of a deleted thread, and for an id of ours that is not the
   * user's
   */
  known(userId: string, name: string, agent: string): Promise<Thread | undefined>
  /** By our id or the client's name. @throws ServiceError `not-found` */
  get(userId: string, name: string, agent?: string): Promise<Thread>
  /** The latest change first: archived threads, or the others. `before` is a thread's id. */
  list(
    userId: string,
    page: { agent?: string; archived?: boolean; before?: string; limit: number },
  ): Promise<Thread[]>
  /**
   * Changes title or archive state. A user's title is never replaced. A new message takes a thread out of the
   * archive.
   */
  change(
    thread: Thread,
    to: { readonly title?: string | undefined; readonly archived?: boolean | undefined },
  ): Promise<Thread>
  /**
   * Applies `change` to the metadata, again if another writer changed it meanwhile.
   * @throws ServiceError `not-found`
   */
  amend(thread: Thread, change: (metadata: Thread['metadata']) => Thread['metadata']): Promise<Thread>
  /** Deletes the thread with its messages, their index and its questions. Only a hash of its client name stays. */
  remove(thread: Thread): Promise<void>
}

const OURS = /^conv_[\w-]{12}$/

export function createThreads(db: Database, storage: ThreadStorage = unlimitedStorage): Threads {
  const tables = threadTables(db)
  const findOfAgent = prepareQuery<Required<Named>, ConversationRow>(db, (hole) =>
    selectThread(tables, { userId: hole('userId'), name: hole('name'), agent: hole('agent') }),
  )
  const insertNew = prepareQuery<ConversationRow, { id: string }>(db, (hole) => insert(tables, hole))
  const get: Threads['get'] = async (userId, name, agent) => {
    const row = await find(tables, { userId, name, agent })
    if (!row) throw nowhere()
    return toThread(row)
  }
  const create: Threads['create'] = async ({ userId, agent, name, metadata }) => {
    if (name !== undefined && OURS.test(name)) throw nowhere()
    const row = newRow({ userId, agent, name, metadata })
    // Two requests may use a new name at once: the second finds the thread of the first.
    const [made] = await insertNew(row)
    if (made) return { thread: toThread(row), isNew: true }
    return { thread: await get(userId, name ?? row.id, agent), isNew: false }
  }
  return {
    async open(named) {
      const { userId, agent, name, metadata } = named
      const [known] = name === undefined ? [] : await findOfAgent({ userId, name, agent })
      if (!known) {
        const thread = await createAlone(tables, storage, named)
        return thread ? { thread, isNew: true } : create(named)
      }
      return { thread: await addMetadata(tables, known, metadata ?? {}), isNew: false }
    },
    create,
    get,
    async find(userId, name, agent) {
      const row = agent
        ? (await findOfAgent({ userId, name, agent }))[0]
        : await find(tables, { userId, name })
      return row && toThread(row)
    },
    async known(userId, name, agent) {
      const [row] = await findOfAgent({ userId, name, agent })
      if (row) return toThread(row)
      if (OURS.test(name)) throw nowhere()
      if (await wasDeleted(tables, { userId, agent, name }))
        throw new ServiceError('not-found', 'This conversation was deleted.')
      return undefined
    },
    async list(userId, { before, ...page }) {
      const after = before === undefined ? undefined : await get(userId, before)
      return (await listed(tables, userId, { ...page, after })).map(toThread)
    },
    async change(thread, to) {
      await storage.mayChange(thread.userId)
      return toThread(await changeRow(tables, thread.id, columnsOf(to)))
    },
    amend: (thread, change) => amendRow(tables, thread.id, change),
    remove: (thread) => deleteThread(db, storage, thread.id),
  }
}

type Page = {
  readonly agent?: string
  readonly archived?: boolean
  readonly after: Thread | undefined
  readonly limit: number
}

function listed(
  tables: ThreadDatabase,
  userId: string,
  { agent, archived = false, after, limit }: Page,
): Promise<ConversationRow[]> {
  let page = tables
    .selectFrom('conversations')
    .selectAll()
    .where('user_id', '=', userId)
    .where('archived_at', archived ? 'is not' : 'is', null)
  if (agent !== undefined) page = page.where('agent_id', '=', agent)
  if (after)
    page = page.where((is) => is(is.refTuple('updated_at', 'id'), '<', is.tuple(after.updatedAt, after.id)))
  return page.orderBy('updated_at', 'desc').orderBy('id', 'desc').limit(limit).execute()
}

async function amendRow(
  tables: ThreadDatabase,
  id: string,
  change: Parameters<Threads['amend']>[1],
): Promise<Thread> {
  for (;;) {
    const row = await tables.selectFrom('conversations').selectAll().where('id', '=', id).executeTakeFirst()
    if (!row) throw nowhere()
    const metadata = JSON.stringify(change(toThread(row).metadata))
    if (metadata === row.metadata) return toThread(row)
    const asItWas = tables
      .updateTable('conversations')
      .set({ metadata })
      .where('id', '=', id)
      .where('metadata', '=', row.metadata)
    const changed = await asItWas.returningAll().executeTakeFirst()
    if (changed) return toThread(changed)
  }
}

function columnsOf({ title, archived }: Parameters<Threads['change']>[1]): Partial<ConversationRow> {
  return {
    ...(title !== undefined && { title, title_by: 'user' }),
    ...(archived !== undefined && { archived_at: archived ? new Date().toISOString() : null }),
  }
}

/** Sets the id too, so that an empty change is valid SQL. */
async function changeRow(
  tables: ThreadDatabase,
  id: string,
  to: Partial<ConversationRow>,
): Promise<ConversationRow> {
  const own = tables
    .updateTable('conversations')
    .set({ id, ...to })
    .where('id', '=', id)
  const changed = await own.returningAll().executeTakeFirst()
  if (!changed) throw nowhere()
  return changed
}

function nowhere(): ServiceError {
  return new ServiceError('not-found', 'There is no such conversation.')
}

type Named = { readonly userId: string; readonly name: string; readonly agent?: string | undefined }

function find(tables: ThreadDatabase, named: Named): Promise<ConversationRow | undefined> {
  return selectThread(tables, named).executeTakeFirst()
}

function selectThread(tables: ThreadDatabase, { userId, name, agent }: Named) {
  const mine = tables.selectFrom('conversations').selectAll().where('user_id', '=', userId)
  const either = mine.where((is) => is.or([is('id', '=', name), is('client_id', '=', name)]))
  const matching = agent === undefined ? either : either.where('agent_id', '=', agent)
  return matching.orderBy('created_at').limit(1)
}

/** A thread without a run, which counts itself. None where another request has used its name meanwhile. */
async function createAlone(
  tables: ThreadDatabase,
  storage: ThreadStorage,
  named: NewThread,
): Promise<Thread | undefined> {
  if (named.name !== undefined && OURS.test(named.name)) throw nowhere()
  const row = asCounted(newRow(named))
  await storage.mayCreate(row.user_id, row.bytes)
  return tables.transaction().execute(async (trx) => {
    const insertion = trx.insertInto('conversations').values(row)
    const once = insertion.onConflict((on) => on.doNothing()).returning('id')
    if (!(await once.executeTakeFirst())) return undefined
    await storage.count(trx, row.user_id, row.bytes)
    return toThread(row)
  })
}

type Hole = <Name extends keyof ConversationRow>(name: Name) => ConversationRow[Name]

function insert(tables: ThreadDatabase, hole: Hole) {
  const row: ConversationRow = {
    id: hole('id'),
    agent_id: hole('agent_id'),
    user_id: hole('user_id'),
    client_id: hole('client_id'),
    title: hole('title'),
    created_at: hole('created_at'),
    updated_at: hole('updated_at'),
    metadata: hole('metadata'),
    title_by: hole('title_by'),
    archived_at: hole('archived_at'),
    chosen_id: hole('chosen_id'),
    bytes: hole('bytes'),
    request_bytes: hole('request_bytes'),
  }
  return tables
    .insertInto('conversations')
    .values(row)
    .onConflict((on) => on.doNothing())
    .returning('id')
}

async function addMetadata(
  tables: ThreadDatabase,
  row: ConversationRow,
  added: Thread['metadata'],
): Promise<Thread> {
  const metadata = JSON.stringify({ ...toThread(row).metadata, ...added })
  if (metadata !== row.metadata) {
    await tables.updateTable('conversations').set({ metadata }).where('id', '=', row.id).execute()
  }
  return toThread({ ...row, metadata })
}
