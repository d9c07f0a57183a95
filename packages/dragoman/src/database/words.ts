/** Characters of scripts that put no space between words: each is taken for a word. */
const ALONE = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`

/** Such a character, or a word, which may end in `++` or `#`, as names of languages do. */
const WORD = new RegExp(
  String.raw`[${ALONE}]|[[\p{L}\p{N}\p{M}]--[${ALONE}]]+(?:\+\+|#(?![\p{L}\p{N}]))?`,
  'gv',
)

/** No letter of any language bears more marks; to bring them in order takes the square of their number. */
const MARKS_TOO_MANY = /(\p{M}{30})\p{M}+/gu

/** Of a text so many characters are looked at. */
const MOST = 100_000

/**
 * A text as an index holds it: its words in their order, parted by spaces, in small letters and without accents. Chinese is cut into its
 * characters, so that what is looked for is found wherever it stands, however a dictionary would cut it. Also a function of SQL.
 *
 * What is indexed is taken out again by its row, never by its words: this may change, with a migration that indexes anew.
 */
export function words(text: string): string {
  const plain = text
    .slice(0, MOST)
    .replace(MARKS_TOO_MANY, '$1')
    .normalize('NFKD')
    .replace(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFKC')
    .toLowerCase()
  return (plain.match(WORD) ?? []).map(spelled).join(' ')
}

/** Signs are spelled out: an index keeps letters and digits only. */
function spelled(word: string): string {
  return word.replace('++', 'plusplus').replace('#', 'sharp')
}
