import { createHash } from 'node:crypto'

import { nextTurn } from '../async/index.ts'
import { jsonStrings, type Database } from '../database/index.ts'
import { messageWords } from './message-words.ts'
import { unlimitedStorage, type ThreadStorage } from './thread-storage.ts'
import { threadTables, type ThreadDatabase } from './tables.ts'

/** Messages that are deleted in one turn of the event loop, so that streams continue meanwhile. */
const MESSAGES = 10

/** Deletes a thread from all tables, in steps. An interrupted deletion can be repeated. */
export async function deleteThread(db: Database, storage: ThreadStorage, threadId: string): Promise<void> {
  const tables = threadTables(db)
  await deleteMessages(tables, threadId)
  await deleteRow(tables, storage, threadId)
  await messageWords.purge(db)
}

/** Deletes the threads of a removed user. */
export interface ThreadDeletion {
  /** The ids of all threads of a user. */
  listThreadIds(userId: string): Promise<readonly string[]>
  /** Which of these threads exist no more. */
  findGone(threadIds: readonly string[]): Promise<ReadonlySet<string>>
  /**
   * Deletes a thread in steps, with no record of its client name. Its text in the full-text index is only marked
   * as deleted until `purgeIndex`. Returns the id of its user, if there was one.
   */
  remove(threadId: string): Promise<string | undefined>
  /** Overwrites the text that is marked as deleted. It rebuilds the index, so call it once for many threads. */
  purgeIndex(): Promise<void>
}

export function createThreadDeletion(
  db: Database,
  storage: ThreadStorage = unlimitedStorage,
): ThreadDeletion {
  const tables = threadTables(db)
  return {
    async listThreadIds(userId) {
      const own = tables.selectFrom('conversations').select('id').where('user_id', '=', userId)
      return (await own.execute()).map(({ id }) => id)
    },
    async findGone(threadIds) {
      const threads = tables.selectFrom('conversations').select('id')
      const rows = await threads.where('id', 'in', jsonStrings(tables, threadIds)).execute()
      const ids = new Set(rows.map(({ id }) => id))
      return new Set(threadIds.filter((id) => !ids.has(id)))
    },
    async remove(threadId) {
      await deleteMessages(tables, threadId)
      return tables.transaction().execute((trx) => removeRow(trx, storage, threadId))
    },
    purgeIndex: () => messageWords.purge(db),
  }
}

async function deleteMessages(tables: ThreadDatabase, threadId: string): Promise<void> {
  const some = tables
    .selectFrom('chat_messages')
    .select('id')
    .where('conversation_id', '=', threadId)
    .limit(MESSAGES)
  for (;;) {
    // Another process may delete the same ones: only a thread without messages is done.
    const ids = (await some.execute()).map(({ id }) => id)
    if (ids.length === 0) return
    await tables.deleteFrom('chat_messages').where('id', 'in', jsonStrings(tables, ids)).execute()
    await nextTurn()
  }
}

/** Deletes the row and, in the same transaction, records the hash of its client name. */
async function deleteRow(tables: ThreadDatabase, storage: ThreadStorage, threadId: string): Promise<void> {
  await tables.transaction().execute(async (trx) => {
    const ofThread = trx.selectFrom('conversations').selectAll().where('id', '=', threadId)
    const row = await ofThread.executeTakeFirst()
    if (row && row.client_id !== null) {
      const trace = nameHash(row.user_id, row.agent_id, row.client_id)
      await trx
        .insertInto('removed_names')
        .values({ trace })
        .onConflict((on) => on.doNothing())
        .execute()
    }
    await removeRow(trx, storage, threadId)
  })
}

/** Deletes the row and gives its bytes back to its user. Returns the user. */
async function removeRow(
  trx: ThreadDatabase,
  storage: ThreadStorage,
  threadId: string,
): Promise<string | undefined> {
  const removal = trx.deleteFrom('conversations').where('id', '=', threadId)
  const row = await removal.returning(['user_id', 'bytes']).executeTakeFirst()
  if (row) await storage.count(trx, row.user_id, -row.bytes)
  return row?.user_id
}

/** Whether a thread with that client name has been deleted. */
export async function wasDeleted(
  tables: ThreadDatabase,
  { userId, agent, name }: { readonly userId: string; readonly agent: string; readonly name: string },
): Promise<boolean> {
  const trace = nameHash(userId, agent, name)
  const rows = tables.selectFrom('removed_names').select('trace').where('trace', '=', trace)
  return (await rows.executeTakeFirst()) !== undefined
}

/** A hash that identifies a client name without storing it. */
function nameHash(userId: string, agent: string, name: string): string {
  return createHash('sha256')
    .update(JSON.stringify([userId, agent, name]))
    .digest('base64url')
}
