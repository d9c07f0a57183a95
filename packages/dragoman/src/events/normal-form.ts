/** No letter of any language bears more marks. To bring them in order takes the square of their number. */
const EXCESS_MARKS = /(\p{M}{30})\p{M}+/gu
/** Whole phrases in one sign, which become up to eighteen letters. No text has many of them. */
const PHRASE_SIGNS = /[\uFDFA\uFDFB]/gu
const MAX_PHRASE_SIGNS = 500

/**
 * A text in a Unicode normal form, in a time that grows with its length. Of the marks on one letter, thirty are kept:
 * `String.prototype.normalize` takes half a minute for 200 kB of them. Of signs that are whole phrases, the first ones
 * become letters, and the others go.
 * https://www.unicode.org/reports/tr15/#Stream_Safe_Text_Format
 *
 * @example
 * normalForm('ﬁne', 'NFKC') // 'fine'
 */
export function normalForm(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
  let phrases = 0
  const bounded = form.startsWith('NFK')
    ? text.replace(PHRASE_SIGNS, (sign) => ((phrases += 1) > MAX_PHRASE_SIGNS ? '' : sign))
    : text
  return bounded.replace(EXCESS_MARKS, '$1').normalize(form)
}
