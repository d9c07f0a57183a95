import { sql } from 'kysely'

import type { Database } from '../database/index.ts'
import { toMessage, type StoredMessage } from './message-rows.ts'
import { threadTables, type ThreadDatabase } from './tables.ts'

/** Reads whole threads of any length, in pages. */
export interface MessagePages {
  /** All messages of all branches, in order of arrival. */
  all(threadId: string): AsyncGenerator<StoredMessage[]>
  /** The path that ends with a message, oldest first. */
  path(threadId: string, leaf: string): AsyncGenerator<StoredMessage[]>
  /** A part of that path, and the number of all its messages. `read` reads the part in pages. */
  slice(
    threadId: string,
    path: { readonly leaf: string; readonly offset: number; readonly limit: number },
  ): Promise<{ readonly read: () => AsyncGenerator<StoredMessage[]>; readonly total: number }>
  /** The last `limit` messages of a path (default: the chosen path). `read` reads them in pages. */
  end(threadId: string, path: { readonly leaf?: string; readonly limit: number }): Promise<PathEnd>
}

export type PathEnd = {
  /** The oldest first. */
  readonly places: readonly { readonly id: string; readonly parentId: string | null }[]
  /** Reads pages of bounded size, as they are consumed. */
  readonly read: () => AsyncGenerator<StoredMessage[]>
}

const PAGE = 100
/** The size of a page. A larger message is read alone. */
const MAX_PAGE_BYTES = 1024 * 1024

export function createMessagePages(db: Database): MessagePages {
  const tables = threadTables(db)
  const readPath = (threadId: string, ids: readonly string[]) => readInPieces(tables, threadId, ids)
  return {
    async *all(threadId) {
      for (let after = 0; ;) {
        const next = await sizes(tables, threadId)
          .where('position', '>', after)
          .orderBy('position')
          .limit(PAGE)
          .execute()
        if (next.length === 0) return
        for (const ids of batches(next)) yield readMessages(tables, threadId, ids)
        after = next.at(-1)?.position ?? after
      }
    },

    async *path(threadId, leaf) {
      yield* readPath(threadId, await listPathIds(db, leaf))
    },

    async slice(threadId, { leaf, offset, limit }) {
      const ids = await listPathIds(db, leaf)
      return { read: () => readPath(threadId, ids.slice(offset, offset + limit)), total: ids.length }
    },

    async end(threadId, path) {
      const places = await listPathEnd(db, { threadId, ...path })
      const ids = places.map(({ id }) => id)
      return { places, read: () => readPath(threadId, ids) }
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
): Promise<StoredMessage[]> {
  const rows = await tables
    .selectFrom('chat_messages')
    .selectAll()
    .where('conversation_id', '=', threadId)
    .where('id', 'in', ids)
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? []).map((row) => ({ row, message: toMessage(row) }))
}

async function* readInPieces(
  tables: ThreadDatabase,
  threadId: string,
  ids: readonly string[],
): AsyncGenerator<StoredMessage[]> {
  for (let at = 0; at < ids.length; at += PAGE) {
    const some = ids.slice(at, at + PAGE)
    const rows = await sizes(tables, threadId).where('id', 'in', some).execute()
    const bytes = new Map(rows.map((each) => [each.id, each.bytes]))
    const next = some.map((id) => ({ id, bytes: bytes.get(id) ?? 0 }))
    for (const batch of batches(next)) yield readMessages(tables, threadId, batch)
  }
}

/** The size of a row, without reading it. */
const rowBytes = sql<number>`octet_length(parts) + octet_length(content)
  + coalesce(octet_length(reasoning), 0) + coalesce(octet_length(tool_calls), 0)`

/** Groups the ids, in order, so that each group fits into a page. */
function batches(rows: readonly { readonly id: string; readonly bytes: number }[]): string[][] {
  const all: string[][] = []
  let room = 0
  for (const { id, bytes } of rows) {
    const last = all.at(-1)
    if (last && bytes <= room) last.push(id)
    else all.push([id])
    room = (last && bytes <= room ? room : MAX_PAGE_BYTES) - bytes
  }
  return all
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
