import { sql } from 'kysely'

import { nextTurn } from '../async/index.ts'
import {
  createNewestFirstIndex,
  dialectOf,
  jsonStrings,
  lockRows,
  MAX_INDEXED_CHARACTERS,
  tokenize,
} from '../database/index.ts'
import type { ThreadDatabase } from './tables.ts'

/** Of an index that is rewritten, a transaction writes so many messages, and about so many characters of them. */
const MAX_SLICE_MESSAGES = 50
const MAX_SLICE_CHARACTERS = 50_000

/** The full-text index of messages: a row of it has the position of its message. */
export const messageWords = createNewestFirstIndex('message_words')

/** Writes the words of a user's messages, in the transaction that writes them. In SQLite triggers do so. */
export async function writeMessageWords(
  trx: ThreadDatabase,
  owner: string,
  messages: readonly { readonly position: number; readonly content: string }[],
): Promise<void> {
  if (dialectOf(trx) === 'sqlite') return
  await messageWords.write(
    trx,
    messages.map(({ position, content }) => ({ row: position, owner, words: tokenize(content) })),
  )
}

/** Which messages: those of a thread, or from one position to another. */
export type MessageRange = { readonly threadId: string } | { readonly first: number; readonly last: number }

/** Whose the words become, if not their thread's user's, and what is done with each slice. */
type Rewriting = {
  readonly owner?: string
  /** Called in the transaction of a slice, with the lowest position so far. Returns whether to go on. */
  readonly onSlice?: (trx: ThreadDatabase, lowest: number) => Promise<boolean>
}

/** Rewrites the words of messages, the newest first, in slices. Returns whether it has written all. */
export async function rewriteMessageWords(
  tables: ThreadDatabase,
  range: MessageRange,
  { owner, onSlice = async () => true }: Rewriting,
): Promise<boolean> {
  for (let before = Number.MAX_SAFE_INTEGER; ;) {
    const slice = await nextSlice(tables, range, before)
    const lowest = slice.at(-1)
    if (lowest === undefined) return true
    const goesOn = await tables.transaction().execute(async (trx) => {
      const rows = (await readMessages(trx, slice)).map(({ position, content, user }) => ({
        row: position,
        owner: owner ?? user,
        words: tokenize(content),
      }))
      await messageWords.write(trx, rows)
      return onSlice(trx, lowest)
    })
    if (!goesOn) return false
    before = lowest
    await nextTurn()
  }
}

/** The positions of the next messages, in descending order. */
async function nextSlice(
  tables: ThreadDatabase,
  range: MessageRange,
  before: number,
): Promise<readonly number[]> {
  const all = tables
    .selectFrom('chat_messages')
    .select(['position', sql<number>`octet_length(content)`.as('size')])
    .where('position', '<', before)
  const own =
    'threadId' in range
      ? all.where('conversation_id', '=', range.threadId)
      : all.where('position', '>=', range.first).where('position', '<=', range.last)
  const rows = await own.orderBy('position', 'desc').limit(MAX_SLICE_MESSAGES).execute()
  let characters = 0
  const count = rows.findIndex(({ size }) => (characters += size) > MAX_SLICE_CHARACTERS)
  return rows.slice(0, count < 0 ? rows.length : Math.max(1, count)).map(({ position }) => position)
}

/** The rows are locked: a message that is deleted meanwhile gets no words. */
async function readMessages(trx: ThreadDatabase, positions: readonly number[]) {
  const locked = await lockRows(
    trx,
    trx.selectFrom('chat_messages').select('id').where('position', 'in', positions),
  ).execute()
  const ids = locked.map(({ id }) => id)
  return trx
    .selectFrom('chat_messages as m')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .select(['m.position', 'c.user_id as user'])
    .select(sql<string>`substr(m.content, 1, ${sql.lit(MAX_INDEXED_CHARACTERS)})`.as('content'))
    .where('m.id', 'in', jsonStrings(trx, ids))
    .execute()
}
