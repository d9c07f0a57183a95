import { tokenize } from '../database/index.ts'

/** Further phrases of a query are ignored. */
const MAX_PHRASES = 16

/** Adjacent words. With `isPrefix`, the last one may be the beginning of a word. */
export type SearchPhrase = { readonly words: readonly string[]; readonly isPrefix: boolean }

/** Splits a query at white space into phrases. */
export function parsePhrases(query: string): SearchPhrase[] {
  const phrases = query.split(/\s+/).flatMap((term): SearchPhrase[] => {
    const found = tokenize(term)
    if (found === '') return []
    const all = found.split(' ')
    return [{ words: all, isPrefix: (all.at(-1) ?? '').length > 1 }]
  })
  return phrases.slice(0, MAX_PHRASES)
}
