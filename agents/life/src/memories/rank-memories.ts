import type { Memory } from './memory.ts'
import { commonCount, textFeatures, type TextFeatures } from './text-similarity.ts'
import type { AnalyzedMemory } from './analyze-memories.ts'

/** After so many days a memory that nobody has touched counts half as much for being new. */
const HALF_LIFE_DAYS = 30
const DAY_MS = 86_400_000

/** What each may add: the words more than all else together. */
const WEIGHTS = { words: 4, importance: 1, recency: 1, wanted: 0.25 } as const

/** Words in common beyond so much add little. */
const ENOUGH = 3

/** Words that stand in texts about anything; and one Chinese character, which is seldom a word. */
const SMALL =
  /^(?:\p{Script=Han}|about|at|but|by|can|for|from|how|if|in|of|on|or|to|was|what|when|will|with|you|your)$/u

/**
 * The best `limit` for what is being said, the best first; the same for the same memories, words and moment. A memory
 * that says just these words comes first; of the others each word in common counts the more the fewer memories have it,
 * then importance, how new it is (half after 30 days), and whether it is a goal or a preference. Where no word is in
 * common, as with none at all, the most important and newest come.
 */
export function rankMemories(
  candidates: readonly AnalyzedMemory[],
  words: string,
  { limit, now }: { readonly limit: number; readonly now: Date },
): Memory[] {
  const query = textFeatures(words)
  const rarity = rarityOf(candidates, query)
  const rows = candidates.map(({ memory, said }) => {
    const isExact = said.words.join(' ') === query.words.join(' ')
    return { memory, isExact, worth: worthOf({ memory, said }, { asked: query, rarity, now }) }
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
  readonly asked: TextFeatures
  readonly rarity: (mark: string) => number
  readonly now: Date
}

function worthOf({ memory, said }: AnalyzedMemory, { asked, rarity, now }: Query): number {
  const common = commonCount(asked, said).reduce((sum, mark) => sum + rarity(mark), 0)
  const days = Math.max(0, now.getTime() - Date.parse(memory.updatedAt)) / DAY_MS
  const isWanted = memory.type === 'goal' || memory.type === 'preference'
  return (
    WEIGHTS.words * (common / (common + ENOUGH)) +
    WEIGHTS.importance * (memory.importance / 5) +
    WEIGHTS.recency * 2 ** (-days / HALF_LIFE_DAYS) +
    (isWanted ? WEIGHTS.wanted : 0)
  )
}

/** What all memories have says little of any. Only of marks that are asked for. */
function rarityOf(candidates: readonly AnalyzedMemory[], query: TextFeatures): (mark: string) => number {
  const counts = new Map<string, number>()
  for (const { said } of candidates) {
    for (const mark of commonCount(query, said)) counts.set(mark, (counts.get(mark) ?? 0) + 1)
  }
  return (mark) => {
    const rarity = Math.log(1 + candidates.length / (counts.get(mark) ?? 1))
    return SMALL.test(mark) ? rarity * 0.3 : rarity
  }
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other)
}
