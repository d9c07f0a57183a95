import { sql } from 'kysely'

import { lockRows, type Database } from '../database/index.ts'
import { threadTables, type ThreadDatabase } from './tables.ts'
import { addThreadBytes, MESSAGE_BYTES, type ThreadStorage } from './thread-storage.ts'

/** Corrects what is counted of the bytes of threads. */
export interface ThreadRecount {
  /** Users with threads, in ascending order after one. */
  users(after: string, limit: number): Promise<readonly string[]>
  /** Corrects the counts of a user's threads, and the user's by their sum. */
  conversations(userId: string): Promise<void>
}

export function createThreadRecount(db: Database, storage: ThreadStorage): ThreadRecount {
  const tables = threadTables(db)
  return {
    async users(after, limit) {
      const found = tables.selectFrom('conversations').select('user_id').distinct()
      const page = found.where('user_id', '>', after).orderBy('user_id').limit(limit)
      return (await page.execute()).map(({ user_id: userId }) => userId)
    },
    async conversations(userId) {
      const own = tables.selectFrom('conversations').select('id').where('user_id', '=', userId)
      for (const { id } of await own.execute())
        await tables.transaction().execute((trx) => recountThread(trx, storage, id))
      await storage.recount(userId, (trx) => sumOf(threadTables(trx), userId))
    },
  }
}

async function recountThread(trx: ThreadDatabase, storage: ThreadStorage, id: string): Promise<void> {
  const ofThread = trx.selectFrom('conversations').selectAll().where('id', '=', id)
  const thread = await lockRows(trx, ofThread).executeTakeFirst()
  if (!thread) return
  const messages = trx.selectFrom('chat_messages').where('conversation_id', '=', id)
  const sum = messages.select(sql<number>`coalesce(sum(${MESSAGE_BYTES}), 0)`.as('bytes'))
  const { bytes } = await sum.executeTakeFirstOrThrow()
  const difference = bytes + thread.request_bytes - thread.bytes
  await addThreadBytes(trx, storage, thread, { bytes: difference })
}

async function sumOf(tables: ThreadDatabase, userId: string): Promise<number> {
  const own = tables.selectFrom('conversations').where('user_id', '=', userId)
  const sum = own.select(({ fn }) => fn.sum<number>('bytes').as('bytes'))
  return (await sum.executeTakeFirst())?.bytes ?? 0
}
