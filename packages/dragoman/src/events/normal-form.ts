/** No letter of any language bears more marks. To bring them in order takes the square of their number. */
const EXCESS_MARKS = /(\p{M}{30})\p{M}+/gu

/**
 * A text in a Unicode normal form, in a time that grows with its length. Of the marks on one letter, thirty are kept:
 * `String.prototype.normalize` takes half a minute for 200 kB of them.
 * https://www.unicode.org/reports/tr15/#Stream_Safe_Text_Format
 *
 * @example
 * normalForm('ﬁne', 'NFKC') // 'fine'
 */
export function normalForm(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
  return text.replace(EXCESS_MARKS, '$1').normalize(form)
}
