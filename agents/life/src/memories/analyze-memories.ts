import { setImmediate as giveWay } from 'node:timers/promises'

import type { Memory } from './memory.ts'
import { textFeatures, type TextFeatures } from './text-similarity.ts'

/** A memory, and what it says. */
export type AnalyzedMemory = { readonly memory: Memory; readonly said: TextFeatures }

/** So many of the longest take a few milliseconds. */
const AT_ONCE = 25

/** When those who have come before have had their turn. */
let before: Promise<unknown> = Promise.resolve()

/**
 * Looks at each. All of a user's may take a tenth of a second, for which nobody else must wait: however many ask at
 * once, between two turns of theirs comes whatever else the server has to do.
 */
export async function analyzeMemories(memories: readonly Memory[]): Promise<AnalyzedMemory[]> {
  const found: AnalyzedMemory[] = []
  for (let at = 0; at < memories.length; at += AT_ONCE) {
    found.push(...(await inTurn(() => memories.slice(at, at + AT_ONCE).map(analyze))))
  }
  return found
}

function inTurn<T>(look: () => T): Promise<T> {
  const mine = before.then(() => giveWay()).then(look)
  before = mine.catch(() => undefined)
  return mine
}

function analyze(memory: Memory): AnalyzedMemory {
  return { memory, said: textFeatures(memory.content) }
}
