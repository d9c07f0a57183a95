import { createHash } from 'node:crypto'

import { nanoid } from 'nanoid'

import type { MemoryRow } from '../life-tables.ts'
import { MAX_MEMORIES_PER_USER, type Memory, type NewMemory, type SaveResult } from './memory.ts'
import { newestFirst, toMemory, type Tables } from './memory-rows.ts'
import { textFeatures, type TextFeatures } from './text-similarity.ts'
import { isSameMemory } from './is-same-memory.ts'
import type { AnalyzedMemory } from './analyze-memories.ts'

type StoreOptions = { readonly known: readonly AnalyzedMemory[]; readonly now: Date }

/**
 * Keeps a memory, or brings the one up to date that says the same. Belongs into a transaction: `known` are those that
 * have been looked at before it, so that no more than what came meanwhile is looked at in it.
 */
export async function storeMemory(
  db: Tables,
  userId: string,
  memory: NewMemory,
  { known, now }: StoreOptions,
): Promise<SaveResult> {
  const id = idOf(userId, memory)
  const all = await newestFirst(db, userId)
  const before = all.find((one) => one.id === id)
  if (before) return { memory: before, same: false }

  const features = textFeatures(memory.content)
  const looked = new Map(known.map((one) => [one.memory.content, one.said]))
  const same = all.find(({ content }) => isSameMemory(looked.get(content) ?? textFeatures(content), features))
  if (same) return { memory: await renew(db, userId, { same, said: features, memory, now }), same: true }

  const dropped = all.length >= MAX_MEMORIES_PER_USER ? await dropLeast(db, userId, all) : undefined
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

/** Made of the call's key: the same call saves once, however often it is made. */
function idOf(userId: string, { key }: NewMemory): string {
  if (key === undefined) return `mem_${nanoid(12)}`
  const digest = createHash('sha256')
    .update(JSON.stringify([userId, key]))
    .digest('base64url')
  return `mem_${digest.slice(0, 16)}`
}

type Renewal = {
  readonly same: Memory
  readonly said: TextFeatures
  readonly memory: NewMemory
  readonly now: Date
}

/**
 * The one that says more is kept, in the newer wording where both say the same; where it was first said stays with it.
 */
async function renew(db: Tables, userId: string, { same, said, memory, now }: Renewal): Promise<Memory> {
  const saysMore = textFeatures(same.content).words.length > said.words.length
  const row = await db
    .updateTable('life_memories')
    .set({
      content: saysMore ? same.content : memory.content,
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

/** Makes room: the oldest of those that matter least goes. */
async function dropLeast(db: Tables, userId: string, all: readonly Memory[]): Promise<Memory | undefined> {
  const least = Math.min(...all.map(({ importance }) => importance))
  const [oldest] = all
    .filter(({ importance }) => importance === least)
    .toSorted((a, b) => Date.parse(a.updatedAt) - Date.parse(b.updatedAt))
  if (!oldest) return undefined
  await db.deleteFrom('life_memories').where('user_id', '=', userId).where('id', '=', oldest.id).execute()
  return oldest
}
