/** Characters of scripts that put no space between words: each is taken for a word. */
const UNSPACED_SCRIPTS = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`

/** Such a character, or a word, which may end in `++` or `#`, as names of languages do. */
const WORD = new RegExp(
  String.raw`[${UNSPACED_SCRIPTS}]|[[\p{L}\p{N}\p{M}]--[${UNSPACED_SCRIPTS}]]+(?:\+\+|#(?![\p{L}\p{N}]))?`,
  'gv',
)

/** No letter of any language bears more marks; to bring them in order takes the square of their number. */
const EXCESS_MARKS = /(\p{M}{30})\p{M}+/gu

/** Of a text so many characters are looked at. */
const MAX_CHARACTERS = 100_000

/**
 * A text as an index holds it: its words in their order, parted by spaces, in small letters and without accents. Chinese is cut into its
 * characters, so that what is looked for is found wherever it stands, however a dictionary would cut it. Also a function of SQL.
 *
 * What is indexed is taken out again by its row, never by its words: this may change, with a migration that indexes anew.
 */
export function tokenize(text: string): string {
  const plain = text
    .slice(0, MAX_CHARACTERS)
    .replace(EXCESS_MARKS, '$1')
    .normalize('NFKD')
    .replace(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFKC')
    .toLowerCase()
  return (plain.match(WORD) ?? []).map(spellOutSigns).join(' ')
}

/** Signs are spelled out: an index keeps letters and digits only. */
function spellOutSigns(word: string): string {
  return word.replace('++', 'plusplus').replace('#', 'sharp')
}
