import { setImmediate as turn } from 'node:timers/promises'

import { nanoid } from 'nanoid'

import { fairQueue, type FairQueue } from '../async/index.ts'
import { jsonStrings, lockRows, type Database } from '../database/index.ts'
import { ServiceError } from '../errors.ts'
import type { History } from './history.ts'
import { listPathIds } from './message-pages.ts'
import { nextPositions } from './message-positions.ts'
import { writeMessageWords } from './message-words.ts'
import { threadTables, type ConversationRow, type ThreadDatabase } from './tables.ts'
import {
  asCounted,
  addThreadBytes,
  MESSAGE_BYTES,
  messageBytes,
  unlimitedStorage,
  type ThreadStorage,
} from './thread-storage.ts'
import { deleteThread } from './thread-deletion.ts'
import { newRow, toThread, type Thread } from './thread-rows.ts'

export interface Forks {
  /**
   * Creates a thread with copies of another one's messages, up to a message (by our id or the client's) or along
   * the chosen path. Parts are copied. Runs are not, because logs stay in their thread.
   * @throws ServiceError `not-found`; `thread-busy` if a message is incomplete; `rate-limited`, `storage-full`
   */
  fork(
    userId: string,
    thread: Thread,
    from: { readonly messageId?: string | undefined; readonly title?: string | undefined },
  ): Promise<Thread>
}

/** A transaction copies so many messages at most, and no more once it has so many bytes of them. */
const MAX_SLICE_MESSAGES = 50
const MAX_SLICE_BYTES = 50_000

type ForkOptions = {
  readonly storage?: ThreadStorage | undefined
  /** In which messages are copied. */
  readonly slices?: FairQueue
}

export function createForks(
  db: Database,
  history: Pick<History, 'find'>,
  { storage = unlimitedStorage, slices = fairQueue() }: ForkOptions = {},
): Forks {
  const tables = threadTables(db)
  return {
    async fork(userId, thread, { messageId, title }) {
      const named = messageId ?? thread.chosen
      const last = named === undefined ? undefined : (await history.find(thread.id, named))?.row.id
      // A chosen message is gone while its thread is being deleted.
      if (named !== undefined && last === undefined)
        throw new ServiceError('not-found', 'There is no such message.')
      const forkedFrom = { threadId: thread.id, ...(last !== undefined && { messageId: last }) }
      const row = asCounted({
        ...newRow({ userId, agent: thread.agent, metadata: { ...thread.metadata, forkedFrom } }),
        title: title ?? thread.title ?? null,
        title_by: title === undefined ? ('words' as const) : ('user' as const),
      })
      const copies = last === undefined ? [] : await copiesOf(tables, last)
      const bytes = copies.reduce((sum, copy) => sum + copy.bytes, row.bytes)
      await storage.mayCreate(userId, bytes)
      await tables.transaction().execute(async (trx) => {
        await lockThread(trx, thread.id)
        await trx.insertInto('conversations').values(row).execute()
        await storage.count(trx, userId, row.bytes)
      })
      try {
        return toThread(await copyAll({ tables, storage, slices }, { from: thread.id, row, copies }))
      } catch (error) {
        await deleteThread(db, storage, row.id)
        throw error
      }
    },
  }
}

/** No other request can delete the thread until the transaction ends. @throws ServiceError `not-found` */
async function lockThread(trx: ThreadDatabase, id: string): Promise<void> {
  const row = await lockRows(
    trx,
    trx.selectFrom('conversations').select('id').where('id', '=', id),
  ).executeTakeFirst()
  if (!row) throw new ServiceError('not-found', 'There is no such conversation.')
}

/** The id of a message, of its copy, and of the previous copy, and the size of what is copied in bytes. */
type Copy = {
  readonly from: string
  readonly to: string
  readonly parent: string | null
  readonly bytes: number
}

/** The messages to copy, oldest first. @throws ServiceError `thread-busy` */
async function copiesOf(tables: ThreadDatabase, messageId: string): Promise<Copy[]> {
  const ids = await listPathIds(tables, messageId)
  const found = tables
    .selectFrom('chat_messages')
    .select(['id', 'finish_reason', MESSAGE_BYTES.as('bytes')])
    .where('id', 'in', jsonStrings(tables, ids))
  const rows = new Map((await found.execute()).map((row) => [row.id, row]))
  if ([...rows.values()].some(({ finish_reason: reason }) => reason === 'incomplete'))
    throw new ServiceError('thread-busy', 'This answer has not ended yet.')
  let parent: string | null = null
  return ids.map((from) => {
    const copy = { from, to: `msg_${nanoid(12)}`, parent, bytes: rows.get(from)?.bytes ?? 0 }
    parent = copy.to
    return copy
  })
}

type CopyPorts = {
  readonly tables: ThreadDatabase
  readonly storage: ThreadStorage
  readonly slices: FairQueue
}

type Fork = { readonly from: string; readonly row: ConversationRow; readonly copies: readonly Copy[] }

/**
 * Copies the messages in slices, in which users take turns, and then chooses the last one. It is
 * done only while the thread that is forked exists.
 */
async function copyAll(
  { tables, storage, slices }: CopyPorts,
  { from, row, copies }: Fork,
): Promise<ConversationRow> {
  for (const slice of slicesOf(copies)) {
    await slices.run(row.user_id, async () => {
      await turn()
      await tables.transaction().execute(async (trx) => {
        await lockThread(trx, from)
        const bytes = await copyMessages(trx, row, slice)
        await addThreadBytes(trx, storage, row, { bytes })
      })
    })
  }
  const chosen = { ...row, chosen_id: copies.at(-1)?.to ?? null }
  const { chosen_id } = chosen
  await tables.updateTable('conversations').set({ chosen_id }).where('id', '=', row.id).execute()
  return chosen
}

function slicesOf(copies: readonly Copy[]): Copy[][] {
  const slices: Copy[][] = []
  let bytes = Infinity
  for (const copy of copies) {
    const slice = slices.at(-1)
    if (!slice || slice.length >= MAX_SLICE_MESSAGES || bytes >= MAX_SLICE_BYTES) {
      slices.push([copy])
      bytes = copy.bytes
    } else {
      slice.push(copy)
      bytes += copy.bytes
    }
  }
  return slices
}

async function copyMessages(
  trx: ThreadDatabase,
  thread: ConversationRow,
  copies: readonly Copy[],
): Promise<number> {
  const ids = jsonStrings(
    trx,
    copies.map(({ from }) => from),
  )
  const rows = await trx.selectFrom('chat_messages').selectAll().where('id', 'in', ids).execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  const positions = await nextPositions(trx, copies.length)
  const added = copies.map(({ from, to, parent }, at) => {
    const row = byId.get(from)
    const position = positions[at]
    // A thread that is being deleted loses its messages before its row.
    if (!row || position === undefined)
      throw new ServiceError('not-found', 'There is no such message any more.')
    const place = { id: to, position, conversation_id: thread.id, parent_id: parent }
    return Object.assign(row, place, { run_id: null, projected_seq: 0, chosen_at: null })
  })
  await trx.insertInto('chat_messages').values(added).execute()
  await writeMessageWords(trx, thread.user_id, added)
  return added.reduce((sum, row) => sum + messageBytes(row), 0)
}
