import { nextTurn } from 'dragoman/async'
import { leastImportant, MAX_MEMORIES_PER_USER, type Memory } from './memory.ts'
import type { AnalyzedMemory } from './analyze-memories.ts'
import { isSameText } from './text-similarity.ts'

/** The changes that merge a guest's memories into an account. */
export type MergePlan = {
  /** The ids of the guest's memories that the account gets. */
  readonly added: readonly string[]
  /** The account's memories that a memory of the guest changes. */
  readonly updated: readonly Memory[]
  /** The ids of the account's memories that make room. */
  readonly dropped: readonly string[]
}

/** Comparing this many memories with all others takes a few ms. */
const BATCH_SIZE = 5

/**
 * Plans a merge. Of two memories with the same meaning the fuller text stays, in the account's memory. Of all memories
 * the 500 most important stay, then the newest. Compares each pair, and lets the event loop run meanwhile.
 */
export async function planMerge(
  own: readonly AnalyzedMemory[],
  other: readonly AnalyzedMemory[],
): Promise<MergePlan> {
  const all = new Map(own.map((one) => [one.memory.id, one]))
  const updated = new Map<string, Memory>()
  const added = new Set<string>()
  for (const [at, theirs] of other.entries()) {
    if (at > 0 && at % BATCH_SIZE === 0) await nextTurn()
    const same = [...all.values()].find(({ features }) => isSameText(features, theirs.features))
    if (!same) {
      all.set(theirs.memory.id, theirs)
      added.add(theirs.memory.id)
    } else if (!added.has(same.memory.id)) {
      const one = fuller(same, theirs)
      all.set(one.memory.id, one)
      if (one !== same) updated.set(one.memory.id, one.memory)
    }
  }
  const memories = [...all.values()].map(({ memory }) => memory)
  const excess = new Set(leastImportant(memories, all.size - MAX_MEMORIES_PER_USER).map(({ id }) => id))
  for (const id of excess) added.delete(id)
  return {
    added: [...added],
    updated: [...updated.values()].filter(({ id }) => !excess.has(id)),
    dropped: own.map(({ memory }) => memory.id).filter((id) => excess.has(id)),
  }
}

/** The account's memory with the fuller text of the two. */
function fuller(own: AnalyzedMemory, theirs: AnalyzedMemory): AnalyzedMemory {
  const importance = Math.max(own.memory.importance, theirs.memory.importance)
  const fullest = theirs.features.words.length > own.features.words.length ? theirs : own
  if (fullest === own && importance === own.memory.importance) return own
  const { content, updatedAt } = fullest.memory
  return { memory: { ...own.memory, content, updatedAt, importance }, features: fullest.features }
}
