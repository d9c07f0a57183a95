import { tokenize } from '../database/index.ts'

/** So many phrases of a query count. */
const MOST = 16

/** Words that stand together, and whether the last may be the beginning of one. */
export type Phrase = { readonly words: readonly string[]; readonly begins: boolean }

/** What white space parts is looked for each by itself. */
export function phrasesOf(query: string): Phrase[] {
  const phrases = query.split(/\s+/).flatMap((term): Phrase[] => {
    const found = tokenize(term)
    if (found === '') return []
    const all = found.split(' ')
    return [{ words: all, begins: (all.at(-1) ?? '').length > 1 }]
  })
  return phrases.slice(0, MOST)
}
