import { sql } from 'kysely'

import type { Database } from '../db/index.ts'
import { textOf, type Message, type SentTurn } from '../events/index.ts'
import { toMessage } from './message-rows.ts'
import { threadTables, type MessageRow, type ThreadDatabase } from './tables.ts'

/** Where a new message stands: after `parentId`, and after `unknown` turns that we did not know. */
export type Place = { readonly parentId?: string; readonly unknown: readonly SentTurn[] }

export interface History {
  /** The path that ends with a message (default: the latest), oldest first: at most `limit` messages, those before `before`. */
  path(threadId: string, page: { leaf?: string; before?: string; limit: number }): Promise<StoredMessage[]>
  /** A message by our id, or by the client's. */
  find(threadId: string, name: string): Promise<StoredMessage | undefined>
  /** Where a message after these turns belongs. Known turns are ours, by id or else by their words. */
  place(threadId: string, turns: readonly SentTurn[]): Promise<Place>
}

/** `row` has the columns as stored. */
export type StoredMessage = { readonly message: Message; readonly row: MessageRow }

/** Turns back that a client's history is compared with. */
const COMPARED = 500

export function history(db: Database): History {
  const tables = threadTables(db)
  const path: History['path'] = async (threadId, { leaf, before, limit }) => {
    const parent = before === undefined ? undefined : (await find(tables, threadId, before))?.row.parent_id
    const start = before === undefined ? (leaf ?? (await latest(tables, threadId))) : parent
    return start === undefined || start === null ? [] : pathTo(db, threadId, { leaf: start, limit })
  }
  return {
    path,
    find: (threadId, name) => find(tables, threadId, name),
    async place(threadId, turns) {
      const leaf = await lastKnown(tables, threadId, turns)
      return placeAmong(await path(threadId, { limit: COMPARED, ...(leaf !== undefined && { leaf }) }), turns)
    },
  }
}

async function find(
  tables: ThreadDatabase,
  threadId: string,
  name: string,
): Promise<StoredMessage | undefined> {
  const row = await tables
    .selectFrom('chat_messages')
    .selectAll()
    .where('conversation_id', '=', threadId)
    .where((is) => is.or([is('id', '=', name), is('client_id', '=', name)]))
    .orderBy('position', 'desc')
    .executeTakeFirst()
  return row && { row, message: toMessage(row) }
}

async function latest(tables: ThreadDatabase, threadId: string): Promise<string | undefined> {
  const row = await tables
    .selectFrom('chat_messages')
    .select('id')
    .where('conversation_id', '=', threadId)
    .orderBy('position', 'desc')
    .executeTakeFirst()
  return row?.id
}

/** From a message back to the first, at most `limit`: what that costs does not grow with the thread. */
async function pathTo(
  db: Database,
  threadId: string,
  { leaf, limit }: { leaf: string; limit: number },
): Promise<StoredMessage[]> {
  const { rows } = await sql<MessageRow>`
    WITH RECURSIVE path (id, depth) AS (
      SELECT ${leaf}, 0
      UNION ALL
      SELECT m.parent_id, depth + 1 FROM path JOIN chat_messages m ON m.id = path.id
      WHERE m.parent_id IS NOT NULL AND depth + 1 < ${limit}
    )
    SELECT m.* FROM path JOIN chat_messages m ON m.id = path.id
    WHERE m.conversation_id = ${threadId} ORDER BY depth DESC`.execute(db)
  return rows.map((row) => ({ row, message: toMessage(row) }))
}

/** The last turn that we know by its id says which branch the client is on. */
async function lastKnown(
  tables: ThreadDatabase,
  threadId: string,
  turns: readonly SentTurn[],
): Promise<string | undefined> {
  for (const { id } of turns.toReversed()) {
    const known = id === undefined ? undefined : await find(tables, threadId, id)
    if (known) return known.row.id
  }
  return undefined
}

function placeAmong(stored: readonly StoredMessage[], turns: readonly SentTurn[]): Place {
  let parentId: string | undefined
  let at = 0
  for (const [index, turn] of turns.entries()) {
    const found = stored.findIndex(({ message }, place) => place >= at && isSame(message, turn, place === at))
    const message = stored[found]?.message
    if (!message) return { ...(parentId !== undefined && { parentId }), unknown: turns.slice(index) }
    parentId = message.id
    at = found + 1
  }
  return { ...(parentId !== undefined && { parentId }), unknown: [] }
}

/** By id wherever it stands; by its words only where it is next. White space is the client's own affair. */
function isSame(message: Message, turn: SentTurn, isNext: boolean): boolean {
  const clientId = message.role === 'user' ? message.clientId : undefined
  if (turn.id !== undefined && (turn.id === message.id || turn.id === clientId)) return true
  return isNext && message.role === turn.role && bare(textOf(message)) === bare(turn.text)
}

function bare(text: string): string {
  return text.replaceAll(/\s+/g, '')
}
