import { createHash } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'

import { purgeFullTextIndex, type Database } from '../database/index.ts'
import { threadTables, type ThreadDatabase } from './tables.ts'

/** Messages that are removed in one turn of the event loop: streams go on meanwhile. */
const MESSAGES = 10
/** The index of what was said. */
const WORDS = 'message_words'

/** Takes a conversation out of all tables, in steps: who is cut off in the middle can do it again. */
export async function deleteThread(db: Database, threadId: string): Promise<void> {
  const tables = threadTables(db)
  await deleteMessages(tables, threadId)
  await deleteRow(tables, threadId)
  await purgeFullTextIndex(db, WORDS)
}

/** What is kept of a user who is no more. */
export interface ThreadDeletion {
  /** Ids of all their conversations. */
  listThreadIds(userId: string): Promise<readonly string[]>
  /**
   * Takes one out of all rows, in steps, and leaves no trace of its client's name: nobody can call it by that
   * again. Its words in the index are only marked as deleted until `forgetWords`.
   */
  remove(threadId: string): Promise<void>
  /** Has what was marked so written over, of all that were removed: the index is written anew once for many. */
  purgeIndex(): Promise<void>
}

export function createThreadDeletion(db: Database): ThreadDeletion {
  const tables = threadTables(db)
  return {
    async listThreadIds(userId) {
      const own = tables.selectFrom('conversations').select('id').where('user_id', '=', userId)
      return (await own.execute()).map(({ id }) => id)
    },
    async remove(threadId) {
      await deleteMessages(tables, threadId)
      await tables.deleteFrom('conversations').where('id', '=', threadId).execute()
    },
    purgeIndex: () => purgeFullTextIndex(db, WORDS),
  }
}

async function deleteMessages(tables: ThreadDatabase, threadId: string): Promise<void> {
  const some = tables
    .selectFrom('chat_messages')
    .select('id')
    .where('conversation_id', '=', threadId)
    .limit(MESSAGES)
  for (;;) {
    const { numDeletedRows: deleted } = await tables
      .deleteFrom('chat_messages')
      .where('id', 'in', some)
      .executeTakeFirst()
    if (deleted === 0n) return
    await turn()
  }
}

/** With it goes its client's name, of which a trace is left in the same moment. */
async function deleteRow(tables: ThreadDatabase, threadId: string): Promise<void> {
  await tables.transaction().execute(async (trx) => {
    const removed = trx.deleteFrom('conversations').where('id', '=', threadId).returningAll()
    const row = await removed.executeTakeFirst()
    if (!row || row.client_id === null) return
    const trace = nameHash(row.user_id, row.agent_id, row.client_id)
    await trx
      .insertInto('removed_names')
      .values({ trace })
      .onConflict((on) => on.doNothing())
      .execute()
  })
}

/** Whether a conversation of that client's name has been removed. */
export async function wasDeleted(
  tables: ThreadDatabase,
  { userId, agent, name }: { readonly userId: string; readonly agent: string; readonly name: string },
): Promise<boolean> {
  const trace = nameHash(userId, agent, name)
  const rows = tables.selectFrom('removed_names').select('trace').where('trace', '=', trace)
  return (await rows.executeTakeFirst()) !== undefined
}

/** By which a name is known again that is not kept. */
function nameHash(userId: string, agent: string, name: string): string {
  return createHash('sha256')
    .update(JSON.stringify([userId, agent, name]))
    .digest('base64url')
}
