import { similarity, type TextFeatures } from './text-similarity.ts'

/** From here on two texts of which one has but a few words more are one memory. */
const ALIKE = 0.7

/**
 * Whether one of two texts says what the other says, with a few words more at most: no word of either is lost where the
 * longer is kept, nor their order. Texts that differ in a “not” or a “formerly” never say the same, however alike they
 * are.
 */
export function isSameMemory(one: TextFeatures, other: TextFeatures): boolean {
  if (one.turns !== other.turns) return false
  const [short, long] = one.words.length <= other.words.length ? [one, other] : [other, one]
  return isWithin(short.words, long.words) && similarity(one, other) >= ALIKE
}

/** Whether all words of the one stand in the other, in their order. */
function isWithin(short: readonly string[], long: readonly string[]): boolean {
  let at = 0
  for (const word of long) if (word === short[at]) at += 1
  return at === short.length
}
