import { createHash } from 'node:crypto'

import type { WordQuery } from './word-index.ts'

/**
 * In an index, each word begins with a key of its owner. So a search reads only what its owner has, however much
 * others have: also where it asks for all words with a beginning.
 */
const KEY_LENGTH = 10
/** A newest-first index of SQLite is searched in parts of so many rows, each of which takes some milliseconds. */
export const ROWS_PER_PART = 8192
const PART_DIGITS = 5

/** A letter first: some tokenizers take a number apart. Two owners with one key only make the search of both slower. */
export function ownerKey(owner: string): string {
  if (latest.owner !== owner) {
    const hash = createHash('sha256').update(owner).digest('hex')
    latest = { owner, key: `k${hash.slice(0, KEY_LENGTH - 1)}` }
  }
  return latest.key
}

/** Most rows in a sequence have one owner. */
let latest = { owner: '', key: '' }

/** The key of an owner in the part that has a row. */
export function partKey(owner: string, part: number): string {
  return ownerKey(owner) + part.toString(36).padStart(PART_DIGITS, '0')
}

export function partOf(row: number): number {
  return Math.floor(row / ROWS_PER_PART)
}

/** The words of a text, which are separated by spaces, with a key. */
export function keyedWords(key: string, text: string): string {
  return text.replaceAll(/\S+/g, `${key}$&`)
}

export function keyedQuery(key: string, query: WordQuery): WordQuery {
  return query.map((spellings) =>
    spellings.map((phrase) => ({ ...phrase, words: phrase.words.map((word) => key + word) })),
  )
}
