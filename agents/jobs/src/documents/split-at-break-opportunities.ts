/** Where a line may end. Chinese may break between any two signs but some; Latin words are whole. */

const CJK = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u3000-\u303F\uFF00-\uFFEF]/u
/** What never begins a line. */
const CLOSING = /[\p{Pe}\p{Pf},.;:!?%…—·、。，．：；？！％‰℃°”’々ー〜～」』】）〉》〕］｝\u2026]/u
/** What never ends a line. */
const OPENING = /[\p{Ps}\p{Pi}“‘「『【（〈《〔［｛$￥¥€£＃#№＠]/u
/** A Latin word of two parts may be parted: `high-|throughput`. */
const HYPHEN = /[\p{L}]{2}[-‐]$/u

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** Whether there is a Chinese or Japanese sign in it. */
export function isCjk(text: string): boolean {
  return CJK.test(text)
}

/** What a reader takes for one sign each. */
export function graphemesOf(text: string): string[] {
  // Nothing in ASCII is joined to anything.
  if (/^[\u0020-\u007E]*$/.test(text)) return text.split('')
  return Array.from(graphemes.segment(text), ({ segment }) => segment)
}

/** Cuts a line of text where it may be broken. Each part ends with the spaces that follow it. */
export function splitAtBreakOpportunities(line: string): string[] {
  const made: string[] = []
  let part = ''
  let last = ''
  for (const sign of graphemesOf(line)) {
    if (part !== '' && mayBreak(part, last, sign)) {
      made.push(part)
      part = ''
    }
    part += sign
    last = sign
  }
  return part === '' ? made : [...made, part]
}

function mayBreak(part: string, last: string, next: string): boolean {
  if (next === ' ') return false
  if (last === ' ') return !(CLOSING.test(next) && CJK.test(next))
  if (next === '\u00A0' || last === '\u00A0') return false
  if (CLOSING.test(next) || OPENING.test(last)) return false
  if (CJK.test(last) || CJK.test(next)) return true
  return HYPHEN.test(part) && /\p{L}/u.test(next)
}

/** After these an address that is too long for a line is parted best. */
export const ADDRESS_JOINTS = /[/?&=#._~+,;:-]/
