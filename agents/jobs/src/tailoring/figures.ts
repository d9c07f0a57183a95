import { anyOf } from '../words/word-pattern.ts'
import words from './claim-words.json' with { type: 'json' }
import { dateRanges, datesIn } from '../resumes/markdown/dates.ts'

/** A number with what it counts in: `40%`, `3万`, `$1.2M` and `900 ms` are `40 %`, `30000`, `1200000 $` and `900 ms`. */
export type Figure = { readonly value: number; readonly unit: string; readonly said: string }
/** A date as JSON Resume writes it. */
export type Moment = { readonly date: string; readonly said: string }
/** A range of dates. Without `end` it still goes on. */
export type Span = { readonly start: string; readonly end?: string; readonly said: string }
export type Figures = {
  readonly numbers: readonly Figure[]
  readonly moments: readonly Moment[]
  readonly spans: readonly Span[]
}

/** Takes the dates and numbers out of a text in NFKC. */
export function figuresIn(text: string): Figures {
  const moments = datesIn(text)
  const rest = moments.reduce((remainder, { said }) => remainder.replace(said, ' '), text)
  return { numbers: numbersIn(rest), moments, spans: dateRanges(text) }
}

const scales: Readonly<Record<string, number>> = words.scales
const units: Readonly<Record<string, string>> = words.units
const spelledNumbers: Readonly<Record<string, number>> = words.numbers
const longestFirst = (names: object): readonly string[] =>
  Object.keys(names).toSorted((one, other) => other.length - one.length)

const NUMBER = new RegExp(
  [
    String.raw`(?<![\p{Script=Latin}\d_.])(?<!\p{Script=Latin}[+#]{1,2})([$€£¥]\s*)?`,
    String.raw`(\d{1,3}(?:,\d{3}){1,8}(?:\.\d+)?|\d+(?:\.\d+)?)`,
    String.raw`(?:\s*(${anyOf(longestFirst(scales))})(?!\p{Script=Latin}))?(?:\+)?`,
    String.raw`(?:\s*(${anyOf(longestFirst(units).map(escaped))})(?!\p{Script=Latin}))?(?![\p{Script=Latin}\d_])`,
  ].join(''),
  'giu',
)
const SPELLED_NUMBER = new RegExp(`(?<![\\p{L}-])${anyOf(Object.keys(spelledNumbers))}(?!\\p{L})`, 'giu')
const CHINESE_NUMBER = new RegExp(
  [
    String.raw`(百分之)?([一二两三四五六七八九十百千万亿]{1,12})`,
    String.raw`(?=余?多?(?:人|年|个|名|倍|成|次|款|家|万|亿|项|天|周|支|台|条|套|门|种|位)|$)`,
  ].join(''),
  'gu',
)

function escaped(sign: string): string {
  return sign.replace('$', String.raw`\$`)
}

function numbersIn(text: string): readonly Figure[] {
  const plain = [...text.matchAll(NUMBER)].map(([said, money = '', digits = '', scale = '', unit = '']) => ({
    value: rounded(Number(digits.replaceAll(',', '')) * (scales[scale.toLowerCase()] ?? 1)),
    unit: units[money.trim()] ?? units[unit.toLowerCase()] ?? '',
    said: said.trim(),
  }))
  const spelled = [...text.matchAll(SPELLED_NUMBER)].map(([said]) => ({
    value: spelledNumbers[said.toLowerCase()] ?? 0,
    unit: '',
    said,
  }))
  return [...plain, ...spelled, ...chineseNumbers(text)]
}

function chineseNumbers(text: string): readonly Figure[] {
  return [...text.matchAll(CHINESE_NUMBER)].flatMap(([said, percent, digits = '']) => {
    const value = chineseValue(digits)
    // 一个 and 一种 count nothing.
    if (value === undefined || (value <= 1 && !percent)) return []
    const next = text[text.indexOf(said) + said.length]
    if (next === '成') return [{ value: value * 10, unit: '%', said }]
    return [{ value, unit: percent ? '%' : next === '倍' ? 'x' : '', said }]
  })
}

const DIGITS = '零一二三四五六七八九'

/** 三十五, 两百万; nothing for what is no number. */
function chineseValue(digits: string): number | undefined {
  let total = 0
  let part = 0
  let digit = 0
  for (const sign of digits.replaceAll('两', '二')) {
    const value = DIGITS.indexOf(sign)
    if (value >= 0) digit = value
    else if (sign === '万' || sign === '亿') {
      total = (total + part + digit || 1) * (sign === '万' ? 1e4 : 1e8)
      part = 0
      digit = 0
    } else {
      part += (digit || 1) * (sign === '十' ? 10 : sign === '百' ? 100 : 1000)
      digit = 0
    }
  }
  return total + part + digit || undefined
}

function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6
}

/**
 * Whether a number of a rewriting may stand for one of the source: its unit may be left out, where it is none that
 * changes its meaning.
 */
export function sameFigure(one: Figure, source: Figure): boolean {
  if (one.value !== source.value) return false
  return one.unit === source.unit || (MEASURES.has(one.unit) && MEASURES.has(source.unit))
}

/** `from 900 to 200 ms`: the first of them has its unit from the second. */
const MEASURES: ReadonlySet<string> = new Set(['', 'ms', 's', 'gb', 'tb', 'mb'])

/** Whether a date of a rewriting says no more than one of the source. */
export function sameMoment(one: Moment, source: Moment): boolean {
  return source.date.startsWith(one.date)
}

export function sameSpan(one: Span, source: Span): boolean {
  return source.start.startsWith(one.start) && endsAlike(one.end, source.end)
}

function endsAlike(one: string | undefined, source: string | undefined): boolean {
  return one === undefined || source === undefined ? one === source : source.startsWith(one)
}
