import { tokenize } from '../database/index.ts'

/** So many phrases of a query count. */
const MAX_PHRASES = 16

/** Words that stand together, and whether the last may be the beginning of one. */
export type SearchPhrase = { readonly words: readonly string[]; readonly isPrefix: boolean }

/** What white space parts is looked for each by itself. */
export function parsePhrases(query: string): SearchPhrase[] {
  const phrases = query.split(/\s+/).flatMap((term): SearchPhrase[] => {
    const found = tokenize(term)
    if (found === '') return []
    const all = found.split(' ')
    return [{ words: all, isPrefix: (all.at(-1) ?? '').length > 1 }]
  })
  return phrases.slice(0, MAX_PHRASES)
}
