import { setImmediate as yieldToEvents } from 'node:timers/promises'

import type { Memory } from './memory.ts'
import { textFeatures, type TextFeatures } from './text-similarity.ts'

/** A memory with the features of its text. */
export type AnalyzedMemory = { readonly memory: Memory; readonly features: TextFeatures }

/** A batch of the longest memories takes a few ms. */
const BATCH_SIZE = 25

/** Resolves when the earlier batches of all callers are done. */
let queue: Promise<unknown> = Promise.resolve()

/** Analyzes memories in batches. The event loop runs between any two batches, also of concurrent callers. */
export async function analyzeMemories(memories: readonly Memory[]): Promise<AnalyzedMemory[]> {
  const analyzed: AnalyzedMemory[] = []
  for (let at = 0; at < memories.length; at += BATCH_SIZE) {
    const turn = queue.then(() => yieldToEvents())
    queue = turn
    await turn
    const batch = memories.slice(at, at + BATCH_SIZE)
    analyzed.push(...batch.map((memory) => ({ memory, features: textFeatures(memory.content) })))
  }
  return analyzed
}
