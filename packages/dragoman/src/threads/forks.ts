import { sql } from 'kysely'
import { nanoid } from 'nanoid'

import type { Database } from '../database/index.ts'
import { ServiceError } from '../errors.ts'
import type { History } from './history.ts'
import { listPathIds } from './message-pages.ts'
import { threadTables, type ThreadDatabase } from './tables.ts'
import { newRow, toThread, type Thread } from './thread-rows.ts'

export interface Forks {
  /**
   * Creates a thread with copies of another one's messages, up to a message (by our id or the client's) or along
   * the chosen path. Parts are copied. Runs are not, because logs stay in their thread.
   * @throws ServiceError `not-found`; `thread-busy` if a message is incomplete
   */
  fork(
    userId: string,
    thread: Thread,
    from: { readonly messageId?: string | undefined; readonly title?: string | undefined },
  ): Promise<Thread>
}

export function createForks(db: Database, history: Pick<History, 'find'>): Forks {
  const tables = threadTables(db)
  return {
    async fork(userId, thread, { messageId, title }) {
      const named = messageId ?? thread.chosen
      const last = named === undefined ? undefined : (await history.find(thread.id, named))?.row.id
      if (messageId !== undefined && last === undefined)
        throw new ServiceError('not-found', 'There is no such message.')
      return tables.transaction().execute(async (trx) => {
        const copies = last === undefined ? [] : await copiesOf(trx, last)
        const forkedFrom = { threadId: thread.id, ...(last !== undefined && { messageId: last }) }
        const row = newRow({ userId, agent: thread.agent, metadata: { ...thread.metadata, forkedFrom } })
        const copied = {
          ...row,
          title: title ?? thread.title ?? null,
          title_by: title === undefined ? ('words' as const) : ('user' as const),
          chosen_id: copies.at(-1)?.to ?? null,
        }
        await trx.insertInto('conversations').values(copied).execute()
        await copy(row.id, copies).execute(trx)
        return toThread(copied)
      })
    },
  }
}

/** The id of a message, of its copy, and of the previous copy. */
type Copy = { readonly from: string; readonly to: string; readonly parent: string | null }

/** The messages to copy, oldest first. @throws ServiceError `thread-busy` */
async function copiesOf(trx: ThreadDatabase, messageId: string): Promise<Copy[]> {
  const ids = await listPathIds(trx, messageId)
  const live = trx
    .selectFrom('chat_messages')
    .select('id')
    .where('id', 'in', sql<string>`(SELECT value FROM json_each(${JSON.stringify(ids)}))`)
    .where('finish_reason', '=', 'incomplete')
  if (await live.executeTakeFirst()) throw new ServiceError('thread-busy', 'This answer has not ended yet.')
  const copies = ids.map(() => `msg_${nanoid(12)}`)
  return ids.map((from, at) => ({ from, to: copies[at] ?? from, parent: copies[at - 1] ?? null }))
}

function copy(threadId: string, copies: readonly Copy[]) {
  return sql`
    INSERT INTO chat_messages (
      id, position, conversation_id, parent_id, role, content, reasoning, tool_calls, timestamp, finish_reason,
      usage, created_at,
      parts, status, failure, client_id
    )
    SELECT copy.value ->> 'to', (SELECT max(position) FROM chat_messages) + copy.key + 1, ${threadId},
      copy.value ->> 'parent',
      role, content, reasoning, tool_calls, timestamp, finish_reason, usage, created_at, parts, status, failure,
      client_id
    FROM json_each(${JSON.stringify(copies)}) copy CROSS JOIN chat_messages m ON m.id = copy.value ->> 'from'
    ORDER BY copy.key`
}
