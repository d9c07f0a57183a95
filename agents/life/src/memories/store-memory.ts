import { createHash } from 'node:crypto'

import { nanoid } from 'nanoid'

import type { MemoryRow } from '../life-tables.ts'
import {
  leastImportant,
  MAX_MEMORIES_PER_USER,
  type Memory,
  type NewMemory,
  type SaveResult,
} from './memory.ts'
import { selectMemories, toMemory, type Tables } from './memory-rows.ts'
import { isSameText, textFeatures, type TextFeatures } from './text-similarity.ts'
import type { AnalyzedMemory } from './analyze-memories.ts'

type StoreOptions = { readonly analyzed: readonly AnalyzedMemory[]; readonly now: Date }

/**
 * Stores a memory, or updates the one with the same meaning. Needs a transaction. `analyzed` are the memories that were
 * analyzed before it: inside it only newer ones are.
 */
export async function storeMemory(
  db: Tables,
  userId: string,
  memory: NewMemory,
  { analyzed, now }: StoreOptions,
): Promise<SaveResult> {
  const id = idOf(userId, memory)
  const all = await selectMemories(db, userId)
  const before = all.find((one) => one.id === id)
  if (before) return { memory: before, same: false }

  const features = textFeatures(memory.content)
  const cache = new Map(analyzed.map((one) => [one.memory.content, one.features]))
  const same = all.find(({ content }) => isSameText(cache.get(content) ?? textFeatures(content), features))
  if (same) return { memory: await update(db, userId, { same, features, memory, now }), same: true }

  const [dropped] = leastImportant(all, all.length + 1 - MAX_MEMORIES_PER_USER)
  if (dropped) await db.deleteFrom('life_memories').where('id', '=', dropped.id).execute()
  const at = now.toISOString()
  const row: MemoryRow = {
    id,
    user_id: userId,
    content: memory.content,
    type: memory.type,
    importance: memory.importance ?? 3,
    conversation_id: memory.from?.conversation ?? null,
    run_id: memory.from?.run ?? null,
    created_at: at,
    updated_at: at,
  }
  await db.insertInto('life_memories').values(row).execute()
  return { memory: toMemory(row), same: false, ...(dropped && { dropped }) }
}

/** An id made of the call's key, so that a repeated call stores nothing more. */
function idOf(userId: string, { key }: NewMemory): string {
  if (key === undefined) return `mem_${nanoid(12)}`
  const digest = createHash('sha256')
    .update(JSON.stringify([userId, key]))
    .digest('base64url')
  return `mem_${digest.slice(0, 16)}`
}

type Update = {
  readonly same: Memory
  readonly features: TextFeatures
  readonly memory: NewMemory
  readonly now: Date
}

/** The fuller text stays, or the newer one if both are equally full. The memory keeps its origin. */
async function update(db: Tables, userId: string, { same, features, memory, now }: Update): Promise<Memory> {
  const isFuller = textFeatures(same.content).words.length > features.words.length
  const row = await db
    .updateTable('life_memories')
    .set({
      content: isFuller ? same.content : memory.content,
      type: memory.type,
      importance: Math.max(same.importance, memory.importance ?? 0),
      updated_at: now.toISOString(),
    })
    .where('user_id', '=', userId)
    .where('id', '=', same.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return toMemory(row)
}
