import { hasChinese } from './language.ts'
import type { Term } from './search-words.ts'

/** Characters in a snippet. */
const LENGTH = 160
/** What is looked for stands so far from its beginning. */
const BEFORE = 40

/** The place in a text where the first of the things looked for stands, or its beginning. */
export function snippet(text: string, terms: readonly Term[]): string {
  const plain = text
    .slice(0, 20_000)
    // Of at most 20,000 characters.
    .replace(/\[([^\]]{0,200})\]\([^)]{0,500}\)/g, '$1')
    .replace(/[*_#`>\\|]+/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  const found = firstOf(plain.toLowerCase(), terms)
  const from = found <= BEFORE ? 0 : wordStart(plain, found - BEFORE)
  const piece = plain.slice(from, from + LENGTH)
  return `${from > 0 ? '…' : ''}${piece.trim()}${from + LENGTH < plain.length ? '…' : ''}`
}

function firstOf(plain: string, terms: readonly Term[]): number {
  for (const { said, same } of terms) {
    for (const word of [said, ...same]) {
      const at = plain.indexOf(word)
      if (at >= 0) return at
    }
  }
  return -1
}

/** Latin words are not cut in two. */
function wordStart(text: string, at: number): number {
  const space = text.indexOf(' ', at)
  return space >= 0 && space - at < 20 && !hasChinese(text.slice(at, space)) ? space + 1 : at
}
