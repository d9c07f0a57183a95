import { nanoid } from 'nanoid'

import { jsonStrings, type Database } from '../database/index.ts'
import { ServiceError } from '../errors.ts'
import type { History } from './history.ts'
import { listPathIds } from './message-pages.ts'
import { nextPositions } from './message-positions.ts'
import { writeMessageWords } from './message-words.ts'
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

/** A fork holds so many messages in memory at once. */
const ROWS_PER_COPY = 50

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
        await copyMessages(trx, row.id, copies)
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
    .where('id', 'in', jsonStrings(trx, ids))
    .where('finish_reason', '=', 'incomplete')
  if (await live.executeTakeFirst()) throw new ServiceError('thread-busy', 'This answer has not ended yet.')
  const copies = ids.map(() => `msg_${nanoid(12)}`)
  return ids.map((from, at) => ({ from, to: copies[at] ?? from, parent: copies[at - 1] ?? null }))
}

async function copyMessages(trx: ThreadDatabase, threadId: string, copies: readonly Copy[]): Promise<void> {
  for (let at = 0; at < copies.length; at += ROWS_PER_COPY) {
    const some = copies.slice(at, at + ROWS_PER_COPY)
    const found = trx.selectFrom('chat_messages').selectAll()
    const rows = await found
      .where(
        'id',
        'in',
        jsonStrings(
          trx,
          some.map(({ from }) => from),
        ),
      )
      .execute()
    const byId = new Map(rows.map((row) => [row.id, row]))
    const positions = await nextPositions(trx, some.length)
    const copied = some.flatMap(({ from, to, parent }, index) => {
      const row = byId.get(from)
      const position = positions[index]
      if (!row || position === undefined) return []
      const place = { id: to, position, conversation_id: threadId, parent_id: parent }
      return Object.assign(row, place, { run_id: null, projected_seq: 0, chosen_at: null })
    })
    await trx.insertInto('chat_messages').values(copied).execute()
    await writeMessageWords(trx, copied)
  }
}
