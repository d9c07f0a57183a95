import type { Memory } from './memory.ts'
import { coverage, textFeatures } from './text-similarity.ts'
import type { AnalyzedMemory } from './analyze-memories.ts'

/** Less than this of what is asked for is no fit. */
const ENOUGH = 0.5

/**
 * Those that somebody means by a few words: the ones that say just this, else those that have all of it, else those
 * that have most. None where nothing fits.
 */
export function matchMemories(candidates: readonly AnalyzedMemory[], about: string): Memory[] {
  const query = textFeatures(about)
  if (about.trim() === '') return []
  const spelled = query.words.join(' ')
  const exact = candidates.filter(({ said }) => said.words.join(' ') === spelled)
  if (exact.length > 0) return exact.map(({ memory }) => memory)

  const rows = candidates.map(({ memory, said }) => ({ memory, fit: coverage(query, said) }))
  const best = Math.max(0, ...rows.map(({ fit }) => fit))
  return best < ENOUGH ? [] : rows.filter(({ fit }) => fit === best).map(({ memory }) => memory)
}
