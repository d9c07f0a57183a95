import { sql } from 'kysely'

import type { Database } from '../db/index.ts'
import { toMessage } from './message-rows.ts'
import type { StoredMessage } from './history.ts'
import { threadTables, type MessageRow, type ThreadDatabase } from './tables.ts'

/** A whole conversation, however long it is, so many messages at a time. */
export interface Pages {
  /** Every message of every branch, in the order in which they came. */
  all(threadId: string): AsyncGenerator<StoredMessage[]>
  /** The path that ends with a message, the oldest first. */
  path(threadId: string, leaf: string): AsyncGenerator<StoredMessage[]>
  /** Of that path so many messages, those from one place on, and how many it has in all. */
  slice(
    threadId: string,
    path: { readonly leaf: string; readonly offset: number; readonly limit: number },
  ): Promise<{ readonly stored: readonly StoredMessage[]; readonly total: number }>
}

const PAGE = 100

export function pages(db: Database): Pages {
  const tables = threadTables(db)
  const stored = (row: MessageRow): StoredMessage => ({ row, message: toMessage(row) })
  const messages = (threadId: string) =>
    tables.selectFrom('chat_messages').selectAll().where('conversation_id', '=', threadId)

  const inOrder = async (threadId: string, ids: readonly string[]): Promise<StoredMessage[]> => {
    const byId = new Map(
      (await messages(threadId).where('id', 'in', ids).execute()).map((row) => [row.id, row]),
    )
    return ids.flatMap((id) => byId.get(id) ?? []).map(stored)
  }

  return {
    async *all(threadId) {
      for (let after = 0; ;) {
        const page = messages(threadId).where('position', '>', after).orderBy('position').limit(PAGE)
        const rows = await page.execute()
        if (rows.length === 0) return
        yield rows.map(stored)
        after = rows.at(-1)?.position ?? after
      }
    },

    async *path(threadId, leaf) {
      const ids = await idsTo(db, leaf)
      for (let at = 0; at < ids.length; at += PAGE) {
        yield inOrder(threadId, ids.slice(at, at + PAGE))
      }
    },

    async slice(threadId, { leaf, offset, limit }) {
      const ids = await idsTo(db, leaf)
      return { stored: await inOrder(threadId, ids.slice(offset, offset + limit)), total: ids.length }
    },
  }
}

/** The messages up to one, the oldest first. */
export async function idsTo(db: Database | ThreadDatabase, leaf: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    WITH RECURSIVE path (id, depth) AS (
      SELECT ${leaf}, 0
      UNION ALL
      SELECT m.parent_id, depth + 1 FROM path CROSS JOIN chat_messages m ON m.id = path.id WHERE m.parent_id IS NOT NULL
    )
    SELECT id FROM path ORDER BY depth DESC`.execute(db)
  return rows.map(({ id }) => id)
}
