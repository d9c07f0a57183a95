import { normalForm } from 'dragoman/events'
/** Letters with an accent. */
const BEYOND_ASCII = /[\p{Script=Latin}--\p{ASCII}]/gv
/** The accents that no letter has absorbed. */
const ACCENTS = /[\u0300-\u0304\u0306-\u030C\u030F\u0311\u031B\u0323-\u0328\u032D\u032E\u0330\u0331]/gu
const WORD = /[\p{L}\p{N}\p{Co}]+/gu

/**
 * The words of a text in lower case, as `unicode61` of FTS5 splits them. So it leaves them as they are, and an index of
 * another kind holds the same. https://www.sqlite.org/fts5.html#unicode61_tokenizer
 */
export function plainWords(text: string): readonly string[] {
  return text.replace(BEYOND_ASCII, withoutAccent).replace(ACCENTS, '').replaceAll('ς', 'σ').match(WORD) ?? []
}

/** `é` becomes `e`; a letter with two accents keeps them. */
function withoutAccent(letter: string): string {
  const [base = '', ...accents] = normalForm(letter, 'NFD')
  return base <= 'z' && accents.length === 1 ? base : letter
}
