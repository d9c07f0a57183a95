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
      const known = await lastKnown(tables, threadId, turns)
      if (known) return { parentId: known.id, unknown: turns.slice(known.index + 1) }
      return placeAmong(await path(threadId, { limit: COMPARED }), turns.slice(-COMPARED))
    },
  }
}

/** By our id, or by the client's: each has its own index. */
async function find(
  tables: ThreadDatabase,
  threadId: string,
  name: string,
): Promise<StoredMessage | undefined> {
  const ofThread = tables.selectFrom('chat_messages').selectAll().where('conversation_id', '=', threadId)
  const row =
    (await ofThread.where('id', '=', name).executeTakeFirst()) ??
    (await ofThread.where('client_id', '=', name).orderBy('id').execute()).toSorted(byPosition).at(-1)
  return row && { row, message: toMessage(row) }
}

function byPosition(a: MessageRow, b: MessageRow): number {
  return a.position - b.position
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

/** The last of the client's turns that we know by its id: it says which branch the client is on, and where. */
async function lastKnown(
  tables: ThreadDatabase,
  threadId: string,
  turns: readonly SentTurn[],
): Promise<{ id: string; index: number } | undefined> {
  const recent = turns.slice(-COMPARED)
  const names = recent.flatMap(({ id }) => (id === undefined ? [] : [id]))
  if (names.length === 0) return undefined
  const ofThread = tables
    .selectFrom('chat_messages')
    .select(['id', 'client_id', 'position'])
    .where('conversation_id', '=', threadId)
  const rows = [
    ...(await ofThread.where('client_id', 'in', names).execute()),
    ...(await ofThread.where('id', 'in', names).execute()),
  ].toSorted((a, b) => a.position - b.position)
  const ids = new Map(
    rows.flatMap(
      ({ id, client_id }) =>
        [
          [client_id ?? id, id],
          [id, id],
        ] as const,
    ),
  )
  const at = recent.findLastIndex(({ id }) => id !== undefined && ids.has(id))
  const id = ids.get(recent[at]?.id ?? '')
  return id === undefined ? undefined : { id, index: turns.length - recent.length + at }
}

/** By their words, for clients that give no ids. The first may stand anywhere, for a client may have let go of the oldest. */
function placeAmong(stored: readonly StoredMessage[], turns: readonly SentTurn[]): Place {
  let start = 0
  let best = 0
  for (const [index] of stored.entries()) {
    const length = alike(stored, turns, index)
    if (length > best) [start, best] = [index, length]
  }
  const parent = stored[start + best - 1]
  return { ...(best > 0 && parent && { parentId: parent.row.id }), unknown: turns.slice(best) }
}

/** How many turns, from the first on, are what is stored from a place on. */
function alike(stored: readonly StoredMessage[], turns: readonly SentTurn[], from: number): number {
  const end = turns.findIndex((turn, index) => !isSame(stored[from + index]?.message, turn))
  return end < 0 ? turns.length : end
}

/** White space is the client's own affair. */
function isSame(message: Message | undefined, turn: SentTurn): boolean {
  return message?.role === turn.role && bare(textOf(message)) === bare(turn.text)
}

function bare(text: string): string {
  return text.replaceAll(/\s+/g, '')
}
