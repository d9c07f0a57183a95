import { sql } from 'kysely'

import { fairQueue, turnBetween } from '../async/index.ts'
import type { Database } from '../database/index.ts'
import { textOf, type Message, type ClientTurn } from '../events/index.ts'
import { matchClientHistory, removeWhitespace } from './match-client-history.ts'
import { groupBySize } from './message-pages.ts'
import { toMessage, type StoredMessage } from './message-rows.ts'
import { attachAfterAnswer } from './attach-after-answer.ts'
import { findParentByText, type MessagePlace } from './find-parent-by-text.ts'
import { threadTables, type MessageRow, type ThreadDatabase } from './tables.ts'

export interface History {
  /**
   * The path that ends with a message (default: the chosen path), oldest first: at most `limit` messages, those
   * before `before`, the newest of them whose parts fit into `maxBytes`.
   */
  path(
    threadId: string,
    page: { leaf?: string; before?: string; limit: number; maxBytes?: number },
  ): Promise<StoredMessage[]>
  /** The first message of the path that ends with a message. */
  root(threadId: string, leaf: string): Promise<StoredMessage | undefined>
  /** A message by our id, the client's, or, if it is an answer, its run's. */
  find(threadId: string, name: string): Promise<StoredMessage | undefined>
  /** The thread of the user's latest message with that client id. */
  threadOf(userId: string, agent: string, name: string): Promise<string | undefined>
  /** The place of a message after these turns. Known turns are found by id or by text. */
  place(threadId: string, turns: readonly ClientTurn[]): Promise<MessagePlace>
}

/** The server compares this many of the last turns with a client's history. */
const MAX_COMPARED_TURNS = 500
const MAX_COMPARED_BYTES = 32 * 1024 * 1024

export function createHistory(db: Database): History {
  const tables = threadTables(db)
  const path: History['path'] = async (threadId, { leaf, before, ...range }) => {
    if (before === undefined) return pathTo(db, threadId, { leaf, ...range })
    const parent = (await find(tables, threadId, before))?.row.parent_id
    return parent === undefined || parent === null ? [] : pathTo(db, threadId, { leaf: parent, ...range })
  }
  const place: History['place'] = async (threadId, turns) => {
    const lastTurn = await lastKnown(tables, threadId, turns)
    if (lastTurn) return placeAfter(tables, lastTurn.row, turns.slice(lastTurn.index + 1))
    const stored = await path(threadId, { limit: MAX_COMPARED_TURNS, maxBytes: MAX_COMPARED_BYTES })
    // A client that sends only its last answer is at that answer.
    const last = turns.some(({ role }) => role === 'user')
      ? undefined
      : matchClientHistory(stored.slice(-1), turns)
    if (last) return { parentId: last.answer.row.id, unknown: turns.slice(last.turns) }
    return findParentByText(stored, turns.slice(-MAX_COMPARED_TURNS))
  }
  return {
    path,
    root: (threadId, leaf) => rootOf(db, threadId, leaf),
    find: (threadId, name) => find(tables, threadId, name),
    threadOf: (userId, agent, name) => threadOf(tables, { userId, agent, name }),
    place: async (threadId, turns) => attachAfterAnswer(tables, threadId, await place(threadId, turns)),
  }
}

/**
 * Our id goes before the client's, and the client's latest message before earlier ones. A run has one answer. Each kind
 * of id has its own index.
 */
async function find(
  tables: ThreadDatabase,
  threadId: string,
  name: string,
): Promise<StoredMessage | undefined> {
  const ofThread = tables.selectFrom('chat_messages').selectAll().where('conversation_id', '=', threadId)
  const [own, ofClient, ofRun] = await Promise.all([
    ofThread.where('id', '=', name).executeTakeFirst(),
    ofThread.where('client_id', '=', name).orderBy('id').execute(),
    name.startsWith('run_') ? ofThread.where('run_id', '=', name).executeTakeFirst() : undefined,
  ])
  const row = own ?? ofClient.toSorted(byPosition).at(-1) ?? ofRun
  return row && { row, message: toMessage(row) }
}

async function threadOf(
  tables: ThreadDatabase,
  { userId, agent, name }: { userId: string; agent: string; name: string },
): Promise<string | undefined> {
  const found = await tables
    .selectFrom('conversations as c')
    .innerJoin('chat_messages as m', 'm.conversation_id', 'c.id')
    .select('c.id')
    .where('c.user_id', '=', userId)
    .where('c.agent_id', '=', agent)
    .where('m.client_id', '=', name)
    .where('m.role', '=', 'user')
    .orderBy('m.position', 'desc')
    .limit(1)
    .executeTakeFirst()
  return found?.id
}

function byPosition(a: MessageRow, b: MessageRow): number {
  return a.position - b.position
}

type Range = {
  readonly leaf: string | undefined
  readonly limit: number
  readonly maxBytes?: number | undefined
}

/** A group of messages of at most so many bytes is read at once. */
const MAX_SMALL_BYTES = 256 * 1024
/** Larger groups are read one at a time, those of all users in turn, and the event loop has as long for others. */
const largeGroups = fairQueue({ rest: 1 })

/** The last `limit` messages of a path (default: the chosen one). The cost does not grow with the thread. */
async function pathTo(
  db: Database,
  threadId: string,
  { leaf, limit, maxBytes = Number.MAX_SAFE_INTEGER }: Range,
): Promise<StoredMessage[]> {
  const end = leaf ?? sql`(SELECT chosen_id FROM conversations WHERE id = ${threadId})`
  // `later`: the bytes of the messages after one.
  const { rows } = await sql<{ id: string; bytes: number; owner: string }>`
    WITH RECURSIVE path (id, depth, later) AS (
      SELECT id, 0, CAST(0 AS BIGINT) FROM chat_messages WHERE id = ${end}
      UNION ALL
      SELECT m.parent_id, depth + 1, later + octet_length(m.parts) FROM path CROSS JOIN chat_messages m
      WHERE m.id = path.id AND m.parent_id IS NOT NULL AND depth + 1 < ${limit}
        AND later + octet_length(m.parts) <= ${maxBytes}
    )
    SELECT m.id, octet_length(m.parts) AS bytes, c.user_id AS owner
    FROM path CROSS JOIN chat_messages m JOIN conversations c ON c.id = m.conversation_id
    WHERE m.id = path.id AND m.conversation_id = ${threadId} AND later + octet_length(m.parts) <= ${maxBytes}
    ORDER BY depth DESC`.execute(db)
  const messages: StoredMessage[] = []
  for (const { bytes, ids } of groupBySize(rows)) {
    const read = (): Promise<StoredMessage[]> => readGroup(db, ids)
    const group = bytes > MAX_SMALL_BYTES ? largeGroups.run(rows[0]?.owner ?? '', read) : read()
    messages.push(...(await group))
  }
  return messages
}

async function readGroup(db: Database, ids: readonly string[]): Promise<StoredMessage[]> {
  const rows = await threadTables(db).selectFrom('chat_messages').selectAll().where('id', 'in', ids).execute()
  await turnBetween(rows.reduce((sum, { parts }) => sum + (parts?.length ?? 0), 0))
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? []).map((row) => ({ row, message: toMessage(row) }))
}

/** Walks the path only if the thread has several first messages. */
async function rootOf(db: Database, threadId: string, leaf: string): Promise<StoredMessage | undefined> {
  const tables = threadTables(db)
  const firsts = await tables
    .selectFrom('chat_messages')
    .selectAll()
    .where('conversation_id', '=', threadId)
    .where('parent_id', 'is', null)
    .limit(2)
    .execute()
  const [only] = firsts.length === 1 ? firsts : await wayBack(db, leaf)
  return only && { row: only, message: toMessage(only) }
}

async function wayBack(db: Database, leaf: string): Promise<readonly MessageRow[]> {
  const { rows } = await sql<MessageRow>`
    WITH RECURSIVE path (id) AS (
      SELECT id FROM chat_messages WHERE id = ${leaf} UNION ALL
      SELECT m.parent_id FROM path CROSS JOIN chat_messages m WHERE m.id = path.id AND m.parent_id IS NOT NULL
    )
    SELECT m.* FROM path CROSS JOIN chat_messages m WHERE m.id = path.id AND m.parent_id IS NULL`.execute(db)
  return rows
}

/** The last turn with a known id. It shows the client's branch and position. */
async function lastKnown(
  tables: ThreadDatabase,
  threadId: string,
  turns: readonly ClientTurn[],
): Promise<{ row: MessageRow; index: number } | undefined> {
  const recent = turns.slice(-MAX_COMPARED_TURNS)
  const names = recent.flatMap(({ id }) => (id === undefined ? [] : [id]))
  if (names.length === 0) return undefined
  const ofThread = tables
    .selectFrom('chat_messages')
    .select(['id', 'client_id', 'position'])
    .where('conversation_id', '=', threadId)
  const found = await Promise.all([
    ofThread.where('client_id', 'in', names).execute(),
    ofThread.where('id', 'in', names).execute(),
  ])
  const rows = found.flat().toSorted((a, b) => a.position - b.position)
  const ids = new Map<string, string>()
  for (const { id, client_id } of rows) ids.set(client_id ?? id, id).set(id, id)
  const at = recent.findLastIndex(({ id }) => id !== undefined && ids.has(id))
  const id = ids.get(recent[at]?.id ?? '')
  const row = id === undefined ? undefined : (await find(tables, threadId, id))?.row
  return row && { row, index: turns.length - recent.length + at }
}

/** Places after a known message, or after its answer if the client has that under its own ids. */
async function placeAfter(
  tables: ThreadDatabase,
  row: MessageRow,
  turns: readonly ClientTurn[],
): Promise<MessagePlace> {
  const stored = { row, message: toMessage(row) }
  const match = matchClientHistory(await answersOf(tables, stored), turns)
  const { message } = match?.answer ?? stored
  return { parentId: message.id, unknown: beyond(message, turns.slice(match?.turns ?? 0)) }
}

/** The answers to a message. An answer counts as its own, because a client may know only a part of it by our id. */
async function answersOf(tables: ThreadDatabase, stored: StoredMessage): Promise<StoredMessage[]> {
  if (stored.message.role === 'assistant') return [stored]
  const rows = await tables
    .selectFrom('chat_messages')
    .selectAll()
    .where('conversation_id', '=', stored.row.conversation_id)
    .where('parent_id', '=', stored.row.id)
    .where('role', '=', 'assistant')
    .orderBy('position')
    .execute()
  return rows.map((row) => ({ row, message: toMessage(row) }))
}

/** Skips turns that are part of the message: messages that joined a run are separate turns for the client. */
function beyond(message: Message | undefined, turns: readonly ClientTurn[]): readonly ClientTurn[] {
  let at = 0
  for (const part of message?.parts ?? []) {
    if (part.type !== 'user') continue
    const words = removeWhitespace(textOf({ role: 'user', id: part.messageId, parts: part.input }))
    const turn = turns[at]
    if (turn?.role !== 'user' || removeWhitespace(turn.text) !== words) continue
    at += turns[at + 1]?.role === 'assistant' ? 2 : 1
  }
  return turns.slice(at)
}
