/**
 * How many letters are put in, taken out, changed, or swapped with the next one (Damerau-Levenshtein). In `pattern`,
 * `*` stands for any letters and `?` for one, at no cost.
 */
export function editDistance(pattern: string, word: string): number {
  let earlier: readonly number[] = []
  let row: readonly number[] = Array.from({ length: word.length + 1 }, (_, at) => at)
  for (const [index, sign] of pattern.split('').entries()) {
    const isAny = sign === '*'
    const step = isAny ? 0 : 1
    const next = [(row[0] ?? 0) + step]
    for (const [at, letter] of word.split('').entries()) {
      const changed = (row[at] ?? 0) + (isAny || sign === '?' || sign === letter ? 0 : 1)
      const isSwapped = index > 0 && at > 0 && sign === word[at - 1] && pattern[index - 1] === letter
      const swapped = isSwapped ? (earlier[at - 1] ?? 0) + 1 : Infinity
      next.push(Math.min(changed, swapped, (row[at + 1] ?? 0) + step, (next[at] ?? 0) + step))
    }
    earlier = row
    row = next
  }
  return row.at(-1) ?? 0
}

/**
 * The candidate that a word or a pattern is most likely to mean, if it differs in case, separators, or one letter in
 * four at most.
 */
export function findMisspelled(pattern: string, candidates: readonly string[]): string | undefined {
  const plainPattern = plain(pattern)
  const maxDistance = Math.min(2, Math.floor(plainPattern.replaceAll(/[*?]/g, '').length / 4))
  return candidates.find((each) => editDistance(plainPattern, plain(each)) <= maxDistance)
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.: ]/g, '')
}
