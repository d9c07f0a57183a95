import { normalForm } from 'dragoman/events'
const DIGITS = '〇一二三四五六七八九'

/**
 * A number as people write it: `15`, `十五`, `廿一`, `二〇〇五`, `两`. Nothing for what is none, or too long for a date or a
 * time.
 */
export function numberIn(text: string): number | undefined {
  const digits = text.replaceAll(/[○零]/g, '〇').replaceAll(/[两兩]/g, '二')
  if (/^\d{1,4}$/.test(digits)) return Number(digits)
  if (/^[〇一二三四五六七八九]{1,4}$/.test(digits)) {
    return Number(Array.from(digits, (digit) => DIGITS.indexOf(digit)).join(''))
  }
  const [, tens, ten, ones] = /^([一二三四五六七八九])?([十廿卅])([一二三四五六七八九])?$/.exec(digits) ?? []
  if (ten === undefined || (tens !== undefined && ten !== '十')) return undefined
  const whole = ten === '十' ? (tens === undefined ? 1 : DIGITS.indexOf(tens)) : ten === '廿' ? 2 : 3
  return whole * 10 + (ones === undefined ? 0 : DIGITS.indexOf(ones))
}

/** One with a hundred in it too: `一百零五`, `一百一十四`. */
export function hundredsIn(text: string): number | undefined {
  const [, rest] = /^一百([〇○零]?.*)$/.exec(text) ?? []
  if (rest === undefined) return numberIn(text)
  const more = rest === '' ? 0 : numberIn(rest)
  return more === undefined || more > 99 ? undefined : 100 + more
}

/** The signs of such numbers, for patterns. */
export const NUMBER = '[\\d〇○零一二三四五六七八九十廿卅两兩]{1,4}'

/** Full-width signs become plain ones, breaks and runs of blanks one blank. */
export function normalizeText(text: string): string {
  return normalForm(text, 'NFKC').replace(/\s+/g, ' ').trim().toLowerCase()
}
