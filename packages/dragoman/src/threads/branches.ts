import { sql } from 'kysely'

import { jsonStrings, lockRows, type Database } from '../database/index.ts'
import { ServiceError } from '../errors.ts'
import type { History } from './history.ts'
import type { PageMessage } from './message-pages.ts'
import { threadTables, type ThreadDatabase } from './tables.ts'

/** Messages with the same parent are siblings, for example a regenerated answer and an edited question. */
export interface Branches {
  /** The siblings of each message and itself, in order of arrival, by message id. */
  siblings(
    threadId: string,
    messages: readonly PageMessage[],
  ): Promise<ReadonlyMap<string, readonly string[]>>
  /**
   * Chooses the path through a message: it continues as it was last chosen. The message is named by our id, the
   * client's or its run's. Returns the id of the path's last message.
   * @throws ServiceError `not-found`
   */
  choose(threadId: string, name: string): Promise<string>
}

export function createBranches(db: Database, history: Pick<History, 'find'>): Branches {
  const tables = threadTables(db)
  const children = (threadId: string) =>
    tables
      .selectFrom('chat_messages')
      .select(['id', 'parent_id'])
      .where('conversation_id', '=', threadId)
      .orderBy('position')

  return {
    async siblings(threadId, messages) {
      const parents = new Set(messages.map(({ row }) => row.parent_id))
      // One SQL text for any number of ids, so that it is prepared once.
      const listed = jsonStrings(db, [...parents])
      const among = await children(threadId).where('parent_id', 'in', listed).execute()
      const roots = parents.has(null) ? await children(threadId).where('parent_id', 'is', null).execute() : []
      const byParent = Map.groupBy([...among, ...roots], ({ parent_id }) => parent_id)
      return new Map(
        messages.map(({ row }) => [row.id, (byParent.get(row.parent_id) ?? []).map(({ id }) => id)]),
      )
    },

    async choose(threadId, name) {
      const found = (await history.find(threadId, name))?.row
      if (!found) throw new ServiceError('not-found', 'There is no such message.')
      return tables.transaction().execute(async (trx) => {
        const thread = trx.selectFrom('conversations').select('id').where('id', '=', threadId)
        await lockRows(trx, thread).execute()
        const { rows } = await leafBelow(threadId, found.id).execute(trx)
        const leaf = rows[0]?.id ?? found.id
        const chosen_at = await nextChoice(trx, threadId)
        await trx.updateTable('chat_messages').set({ chosen_at }).where('id', '=', leaf).execute()
        await trx.updateTable('conversations').set({ chosen_id: leaf }).where('id', '=', threadId).execute()
        return leaf
      })
    },
  }
}

/** The time of a choice. It is later than the previous one, even within the same millisecond. */
async function nextChoice(trx: ThreadDatabase, threadId: string): Promise<string> {
  const last = await trx
    .selectFrom('conversations as c')
    .innerJoin('chat_messages as m', 'm.id', 'c.chosen_id')
    .select(({ fn }) => fn.coalesce('m.chosen_at', 'm.created_at').as('at'))
    .where('c.id', '=', threadId)
    .executeTakeFirst()
  const before = Date.parse(last?.at ?? '')
  return new Date(Math.max(Date.now(), Number.isNaN(before) ? 0 : before + 1)).toISOString()
}

/** The last message of the latest path through a message. The cross join keeps the order from parent to child. */
function leafBelow(threadId: string, messageId: string) {
  return sql<{ id: string }>`
    WITH RECURSIVE below (id) AS (
      SELECT id FROM chat_messages WHERE id = ${messageId}
      UNION ALL
      SELECT m.id FROM below CROSS JOIN chat_messages m
      WHERE m.conversation_id = ${threadId} AND m.parent_id = below.id
    )
    SELECT m.id FROM below CROSS JOIN chat_messages m
    WHERE m.id = below.id AND NOT EXISTS (
      SELECT 1 FROM chat_messages c WHERE c.conversation_id = ${threadId} AND c.parent_id = m.id
    )
    ORDER BY coalesce(m.chosen_at, m.created_at) DESC, m.position DESC LIMIT 1`
}
