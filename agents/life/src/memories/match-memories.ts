import type { Memory } from './memory.ts'
import { coverage, textFeatures } from './text-similarity.ts'
import type { AnalyzedMemory } from './analyze-memories.ts'

/** A memory that covers less of the query is no match. */
const MIN_COVERAGE = 0.5

/** The memories that a few words mean: exact matches, else those that cover most of the query, at least half. */
export function matchMemories(candidates: readonly AnalyzedMemory[], about: string): Memory[] {
  if (about.trim() === '') return []
  const query = textFeatures(about)
  const text = query.words.join(' ')
  const exact = candidates.filter(({ features }) => features.words.join(' ') === text)
  if (exact.length > 0) return exact.map(({ memory }) => memory)

  const rows = candidates.map(({ memory, features }) => ({ memory, part: coverage(query, features) }))
  const best = Math.max(MIN_COVERAGE, ...rows.map(({ part }) => part))
  return rows.filter(({ part }) => part === best).map(({ memory }) => memory)
}
