import { normalForm } from 'dragoman/events'
/** Whether a text holds what is said to stand in it. */
export type QuoteFinder = (quote: string) => boolean

const EDGE = /[[\p{L}\p{N}]--\p{Script=Han}]/v
/** "C" does not stand in "C++". */
const GOES_ON = /[[\p{L}\p{N}+#]--\p{Script=Han}]/v
const MAX_QUOTE_LENGTH = 2000
/**
 * What may be spent on looking at places in a text that turn out to be none, in characters: a text of one letter has
 * nothing else.
 */
const MAX_WORK_CHARACTERS = 1_000_000
/** What a place costs, however short the words. */
const PLACE = 50

/**
 * Tells for a text which quotes are its own words. Letter case, spaces, marks and what a quote leaves out with dots
 * do not matter. A text that was made to take long to look through holds nothing more after a while.
 */
export function createQuoteFinder(text: string): QuoteFinder {
  const folded = plain(text)
  let budget = MAX_WORK_CHARACTERS
  /** "Go" does not stand in "Google". */
  const wholeAt = (piece: string, from: number): number => {
    for (let at = folded.indexOf(piece, from); at >= 0 && budget > 0; at = folded.indexOf(piece, at + 1)) {
      if (isWhole(folded, piece, at)) return at
      budget -= PLACE + piece.length
    }
    return -1
  }
  return (quote) => {
    const pieces = quote
      .slice(0, MAX_QUOTE_LENGTH)
      .split(/…|\.{3,}/u)
      .map(plain)
      .filter((piece) => piece !== '')
    let from = 0
    for (const piece of pieces) {
      const at = wholeAt(piece, from)
      if (at < 0) return false
      from = at + piece.length
    }
    return pieces.length > 0
  }
}

/** Letters, digits and the signs of names, with one space between words; Chinese without any. */
function plain(text: string): string {
  return normalForm(text, 'NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}+#]+/gu, ' ')
    .replaceAll(/(?<=\p{Script=Han}) | (?=\p{Script=Han})/gu, '')
    .trim()
}

function isWhole(text: string, piece: string, at: number): boolean {
  const begins = !EDGE.test(piece[0] ?? '') || !EDGE.test(text[at - 1] ?? '')
  return begins && (!EDGE.test(piece.at(-1) ?? '') || !GOES_ON.test(text[at + piece.length] ?? ''))
}
