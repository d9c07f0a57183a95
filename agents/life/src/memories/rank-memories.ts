import type { Memory } from './memory.ts'
import { commonMarks, textFeatures, type TextFeatures } from './text-similarity.ts'
import type { AnalyzedMemory } from './analyze-memories.ts'

/** The bonus of an unchanged memory for being new halves after this many days. */
const HALF_LIFE_DAYS = 30
const DAY_MS = 86_400_000

/** The weight of each criterion. Words weigh more than all others together. */
const WEIGHTS = { words: 4, importance: 1, recency: 1, wanted: 0.25 } as const

/** Common words beyond this rarity add little. */
const WORD_SATURATION = 3

/** Words of texts about anything, and a single Chinese character, which is seldom a word. */
const COMMON_WORD =
  /^(?:\p{Script=Han}|about|at|but|by|can|for|from|how|if|in|of|on|or|to|was|what|when|will|with|you|your)$/u

/**
 * The `limit` most relevant memories for a text, best first. An exact match comes first. For the others common words
 * count, rare ones more; then importance, age, and whether the memory is a goal or a preference. Without common words
 * the most important and newest memories come first. Deterministic.
 */
export function rankMemories(
  candidates: readonly AnalyzedMemory[],
  words: string,
  { limit, now }: { readonly limit: number; readonly now: Date },
): Memory[] {
  const query = textFeatures(words)
  const rarity = rarityOf(candidates, query)
  const rows = candidates.map(({ memory, features }) => {
    const isExact = features.words.join(' ') === query.words.join(' ')
    return { memory, isExact, worth: worthOf({ memory, features }, { query, rarity, now }) }
  })
  return rows
    .toSorted(
      (a, b) =>
        Number(b.isExact) - Number(a.isExact) ||
        b.worth - a.worth ||
        compare(b.memory.updatedAt, a.memory.updatedAt) ||
        compare(a.memory.id, b.memory.id),
    )
    .slice(0, limit)
    .map(({ memory }) => memory)
}

type Query = {
  readonly query: TextFeatures
  readonly rarity: (mark: string) => number
  readonly now: Date
}

function worthOf({ memory, features }: AnalyzedMemory, { query, rarity, now }: Query): number {
  const common = commonMarks(query, features).reduce((sum, mark) => sum + rarity(mark), 0)
  const days = Math.max(0, now.getTime() - Date.parse(memory.updatedAt)) / DAY_MS
  const isWanted = memory.type === 'goal' || memory.type === 'preference'
  return (
    WEIGHTS.words * (common / (common + WORD_SATURATION)) +
    WEIGHTS.importance * (memory.importance / 5) +
    WEIGHTS.recency * 2 ** (-days / HALF_LIFE_DAYS) +
    (isWanted ? WEIGHTS.wanted : 0)
  )
}

/** A mark that many memories have says little about any. Counts only the marks of the query. */
function rarityOf(candidates: readonly AnalyzedMemory[], query: TextFeatures): (mark: string) => number {
  const counts = new Map<string, number>()
  for (const { features } of candidates) {
    for (const mark of commonMarks(query, features)) counts.set(mark, (counts.get(mark) ?? 0) + 1)
  }
  return (mark) => {
    const rarity = Math.log(1 + candidates.length / (counts.get(mark) ?? 1))
    return COMMON_WORD.test(mark) ? rarity * 0.3 : rarity
  }
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other)
}
