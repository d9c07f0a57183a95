import { normalForm } from '../events/index.ts'

/** Characters of scripts that put no space between words: each is taken for a word. */
const UNSPACED_SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{Script=${script}}`)
  .join('')

/** Such a character, or a word, which may end in `++` or `#`, as names of languages do. */
const WORD = new RegExp(
  String.raw`[${UNSPACED_SCRIPTS}]|[[\p{L}\p{N}\p{M}]--[${UNSPACED_SCRIPTS}]]+(?:\+\+|#(?![\p{L}\p{N}]))?`,
  'gv',
)

/** The rest of a longer text is not indexed. */
export const MAX_INDEXED_CHARACTERS = 100_000

/** A part of a text whose characters stay whole. */
const PART = /.{1,4096}/gsu

/**
 * Converts a text to its indexed form: its words in order, separated by spaces, in lower case and without
 * accents. Chinese is split into characters, so a search finds a word wherever it is, however a dictionary would
 * split it. It is also a function in SQL.
 *
 * Index entries are removed by row, never by text. So this function may change, with a migration that rebuilds
 * the index.
 */
export function tokenize(text: string): string {
  const letters = decompose(text.slice(0, MAX_INDEXED_CHARACTERS)).replace(/(\p{Script=Latin})\p{M}+/gu, '$1')
  const plain = normalForm(letters, 'NFKC').toLowerCase()
  return (plain.match(WORD) ?? []).map(spellOutSigns).join(' ')
}

/** Takes parts of the text until there is enough: one character may stand for eighteen. */
function decompose(text: string): string {
  let plain = ''
  for (const [part] of text.matchAll(PART)) {
    if (plain.length >= MAX_INDEXED_CHARACTERS) break
    plain += normalForm(part, 'NFKD')
  }
  return plain.slice(0, MAX_INDEXED_CHARACTERS)
}

/** Spells out signs, because an index keeps letters and digits only. */
function spellOutSigns(word: string): string {
  return word.replace('++', 'plusplus').replace('#', 'sharp')
}
