import { fairQueue, nextTurn } from 'dragoman/async'
import type { Memory } from './memory.ts'
import { textFeatures, type TextFeatures } from './text-similarity.ts'

/** A memory with the features of its text. */
export type AnalyzedMemory = { readonly memory: Memory; readonly features: TextFeatures }

/** A batch of the longest memories takes a few ms. */
const BATCH_SIZE = 25

/** Batches of all callers, of whose users each has its turn. */
const batches = fairQueue()

/** Analyzes a user's memories in batches. Between any two batches the event loop runs. */
export async function analyzeMemories(
  userId: string,
  memories: readonly Memory[],
): Promise<AnalyzedMemory[]> {
  const analyzed: AnalyzedMemory[] = []
  for (let at = 0; at < memories.length; at += BATCH_SIZE) {
    await batches.run(userId, async () => {
      await nextTurn()
      const batch = memories.slice(at, at + BATCH_SIZE)
      analyzed.push(...batch.map((memory) => ({ memory, features: textFeatures(memory.content) })))
    })
  }
  return analyzed
}
