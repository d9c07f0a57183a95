import { sql } from 'kysely'

import { turnBetween } from '../async/index.ts'
import type { Database } from '../database/index.ts'
import type { Message } from '../events/index.ts'
import { MESSAGE_COLUMNS, toMessage } from './message-rows.ts'
import { threadTables, type MessageRow, type ThreadDatabase } from './tables.ts'

/** Finds the messages of threads of any length, in pages of bounded size. */
export interface MessagePages {
  /** All messages of all branches, in order of arrival. */
  all(threadId: string): AsyncGenerator<MessagePage>
  /** The path that ends with a message, oldest first. */
  path(threadId: string, leaf: string): AsyncGenerator<MessagePage>
  /** A part of that path, and the number of all its messages. */
  slice(
    threadId: string,
    path: { readonly leaf: string; readonly offset: number; readonly limit: number },
  ): Promise<{ readonly pages: () => AsyncGenerator<MessagePage>; readonly total: number }>
  /** The last `limit` messages of a path (default: the chosen path). */
  end(threadId: string, path: { readonly leaf?: string; readonly limit: number }): Promise<PathEnd>
}

/** Unread messages, and their size in the table. */
export type MessagePage = { readonly bytes: number; readonly read: () => Promise<PageMessage[]> }

/** A message, and its row without what the message says. */
export type PageMessage = {
  readonly message: Message
  readonly row: Omit<MessageRow, 'parts' | 'content' | 'reasoning' | 'tool_calls'>
}

export type PathEnd = {
  /** The oldest first. */
  readonly places: readonly { readonly id: string; readonly parentId: string | null }[]
  readonly pages: () => AsyncGenerator<MessagePage>
}

const PAGE = 100
/** The size of a page. A larger message is read alone. */
const MAX_PAGE_BYTES = 1024 * 1024

export function createMessagePages(db: Database): MessagePages {
  const tables = threadTables(db)
  return {
    async *all(threadId) {
      for (let after = 0; ;) {
        const next = await sizes(tables, threadId)
          .where('position', '>', after)
          .orderBy('position')
          .limit(PAGE)
          .execute()
        if (next.length === 0) return
        yield* toPages(tables, threadId, next)
        after = next.at(-1)?.position ?? after
      }
    },

    async *path(threadId, leaf) {
      yield* findPages(tables, threadId, await listPathIds(db, leaf))
    },

    async slice(threadId, { leaf, offset, limit }) {
      const ids = await listPathIds(db, leaf)
      const part = ids.slice(offset, offset + limit)
      return { pages: () => findPages(tables, threadId, part), total: ids.length }
    },

    async end(threadId, path) {
      const places = await listPathEnd(db, { threadId, ...path })
      const ids = places.map(({ id }) => id)
      return { places, pages: () => findPages(tables, threadId, ids) }
    },
  }
}

function sizes(tables: ThreadDatabase, threadId: string) {
  return tables
    .selectFrom('chat_messages')
    .select(['id', 'position', rowBytes.as('bytes')])
    .where('conversation_id', '=', threadId)
}

async function readMessages(
  tables: ThreadDatabase,
  threadId: string,
  ids: readonly string[],
): Promise<PageMessage[]> {
  const rows = await tables
    .selectFrom('chat_messages')
    .select(MESSAGE_COLUMNS)
    .where('conversation_id', '=', threadId)
    .where('id', 'in', ids)
    .execute()
  const bytes = rows.reduce((sum, { parts }) => sum + (parts?.length ?? 0), 0)
  await turnBetween(bytes)
  const byId = new Map(rows.map((row) => [row.id, row]))
  const messages = ids
    .flatMap((id) => byId.get(id) ?? [])
    .map(({ parts, ...row }) => ({ row, message: toMessage({ ...row, parts }) }))
  await turnBetween(bytes)
  return messages
}

async function* findPages(
  tables: ThreadDatabase,
  threadId: string,
  ids: readonly string[],
): AsyncGenerator<MessagePage> {
  for (let at = 0; at < ids.length; at += PAGE) {
    const some = ids.slice(at, at + PAGE)
    const rows = await sizes(tables, threadId).where('id', 'in', some).execute()
    const bytes = new Map(rows.map((each) => [each.id, each.bytes]))
    const next = some.map((id) => ({ id, bytes: bytes.get(id) ?? 0 }))
    yield* toPages(tables, threadId, next)
  }
}

/** The size of a row, without reading it. */
const rowBytes = sql<number>`octet_length(parts)`

type SizedRow = { readonly id: string; readonly bytes: number }

/** Groups rows, in order, so that each group fits into a page. */
export function groupBySize(rows: readonly SizedRow[]): readonly RowGroup[] {
  const groups: { bytes: number; readonly ids: string[] }[] = []
  for (const { id, bytes } of rows) {
    const last = groups.at(-1)
    if (last && last.bytes + bytes <= MAX_PAGE_BYTES) {
      last.ids.push(id)
      last.bytes += bytes
    } else groups.push({ bytes, ids: [id] })
  }
  return groups
}

type RowGroup = { readonly bytes: number; readonly ids: readonly string[] }

function toPages(tables: ThreadDatabase, threadId: string, rows: readonly SizedRow[]): MessagePage[] {
  const read = (ids: readonly string[]) => () => readMessages(tables, threadId, ids)
  return groupBySize(rows).map(({ bytes, ids }) => ({ bytes, read: read(ids) }))
}

/** The ids of the path that ends with a message, oldest first. */
export async function listPathIds(db: Database | ThreadDatabase, leaf: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    WITH RECURSIVE path (id, depth) AS (
      SELECT id, 0 FROM chat_messages WHERE id = ${leaf}
      UNION ALL
      SELECT m.parent_id, depth + 1 FROM path CROSS JOIN chat_messages m
      WHERE m.id = path.id AND m.parent_id IS NOT NULL
    )
    SELECT id FROM path ORDER BY depth DESC`.execute(db)
  return rows.map(({ id }) => id)
}

/** The last messages of a path, without their text. The cost does not grow with the thread. */
async function listPathEnd(
  db: Database,
  { threadId, leaf, limit }: { readonly threadId: string; readonly leaf?: string; readonly limit: number },
): Promise<PathEnd['places']> {
  const start = leaf ?? sql`(SELECT chosen_id FROM conversations WHERE id = ${threadId})`
  const { rows } = await sql<{ id: string; parent_id: string | null }>`
    WITH RECURSIVE path (id, depth) AS (
      SELECT id, 0 FROM chat_messages WHERE id = ${start}
      UNION ALL
      SELECT m.parent_id, depth + 1 FROM path CROSS JOIN chat_messages m
      WHERE m.id = path.id AND m.parent_id IS NOT NULL AND depth + 1 < ${limit}
    )
    SELECT m.id, m.parent_id FROM path CROSS JOIN chat_messages m
    WHERE m.id = path.id AND m.conversation_id = ${threadId} ORDER BY depth DESC`.execute(db)
  return rows.map(({ id, parent_id: parentId }) => ({ id, parentId }))
}
