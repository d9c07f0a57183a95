import { setImmediate as giveWay } from 'node:timers/promises'

import { MAX_MEMORIES_PER_USER, type Memory } from './memory.ts'
import { isSameMemory } from './is-same-memory.ts'
import type { AnalyzedMemory } from './analyze-memories.ts'

/** What becomes of two users' memories that are to be one's. */
export type MergePlan = {
  /** Ids of the other's that are taken over as they are. */
  readonly taken: readonly string[]
  /** Own ones that say the same as one of the other's, as they are from now on. */
  readonly renewed: readonly Memory[]
  /** Own ones that make room. */
  readonly dropped: readonly string[]
}

/** So many comparisons with all that is known take a few milliseconds. */
const AT_ONCE = 5

/**
 * Of those that say the same the one that says more is kept, where it was first said; of all together the 500 that
 * matter most, and of those that matter equally the newest. Looks at each pair, and gives way meanwhile.
 */
export async function planMerge(
  own: readonly AnalyzedMemory[],
  other: readonly AnalyzedMemory[],
): Promise<MergePlan> {
  const all = new Map(own.map((one) => [one.memory.id, one]))
  const renewed = new Map<string, Memory>()
  const merged = new Set<string>()
  for (const [at, theirs] of other.entries()) {
    if (at > 0 && at % AT_ONCE === 0) await giveWay()
    const same = [...all.values()].find(({ said }) => isSameMemory(said, theirs.said))
    if (!same) {
      all.set(theirs.memory.id, theirs)
      merged.add(theirs.memory.id)
    } else if (!merged.has(same.memory.id)) {
      const one = fuller(same, theirs)
      all.set(one.memory.id, one)
      if (one !== same) renewed.set(one.memory.id, one.memory)
    }
  }
  const excess = leastOf([...all.values()].map(({ memory }) => memory))
  for (const id of excess) merged.delete(id)
  return {
    taken: [...merged],
    renewed: [...renewed.values()].filter(({ id }) => !excess.has(id)),
    dropped: own.map(({ memory }) => memory.id).filter((id) => excess.has(id)),
  }
}

/** The own one, in the words of the one that says more. */
function fuller(own: AnalyzedMemory, theirs: AnalyzedMemory): AnalyzedMemory {
  const importance = Math.max(own.memory.importance, theirs.memory.importance)
  const saysMore = theirs.said.words.length > own.said.words.length
  if (!saysMore && importance === own.memory.importance) return own
  const { content, updatedAt } = (saysMore ? theirs : own).memory
  return { memory: { ...own.memory, content, updatedAt, importance }, said: (saysMore ? theirs : own).said }
}

/** Those for which there is no room. */
function leastOf(all: readonly Memory[]): ReadonlySet<string> {
  const least = all.toSorted(
    (a, b) => a.importance - b.importance || Date.parse(a.updatedAt) - Date.parse(b.updatedAt),
  )
  return new Set(least.slice(0, Math.max(0, all.length - MAX_MEMORIES_PER_USER)).map(({ id }) => id))
}
