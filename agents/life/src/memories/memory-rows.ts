import { sql, type Kysely } from 'kysely'

import type { LifeTables, MemoryRow } from '../life-tables.ts'
import type { Memory, MemoryType } from './memory.ts'

export type Tables = Kysely<LifeTables>

/** All memories of a user, newest first. */
export async function selectMemories(db: Tables, userId: string): Promise<Memory[]> {
  const rows = await db
    .selectFrom('life_memories')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy(sql`rowid`, 'desc')
    .execute()
  return rows.map(toMemory)
}

export function toMemory(row: MemoryRow): Memory {
  return {
    id: row.id,
    content: row.content,
    type: row.type as MemoryType,
    importance: row.importance,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    ...(row.conversation_id !== null &&
      row.run_id !== null && { from: { conversation: row.conversation_id, run: row.run_id } }),
  }
}
