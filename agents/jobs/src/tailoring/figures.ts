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

const SCALE: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  mm: 1e6,
  mn: 1e6,
  million: 1e6,
  b: 1e9,
  bn: 1e9,
  billion: 1e9,
  千: 1e3,
  万: 1e4,
  百万: 1e6,
  千万: 1e7,
  亿: 1e8,
}
const UNITS: Readonly<Record<string, string>> = {
  '%': '%',
  percent: '%',
  倍: 'x',
  x: 'x',
  times: 'x',
  ms: 'ms',
  毫秒: 'ms',
  s: 's',
  sec: 's',
  seconds: 's',
  秒: 's',
  gb: 'gb',
  tb: 'tb',
  mb: 'mb',
  $: '$',
  usd: '$',
  美元: '$',
  '€': '€',
  eur: '€',
  '£': '£',
  '¥': '¥',
  rmb: '¥',
  cny: '¥',
  元: '¥',
}
const NUMBER =
  /(?<![\p{Script=Latin}\d_.]|\p{Script=Latin}[+#]{1,2})([$€£¥]\s*)?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?:\s*(thousand|million|billion|mm|mn|bn|k|m|b|百万|千万|千|万|亿)(?![\p{Script=Latin}]))?(?:\+)?(?:\s*(%|percent|倍|x|times|ms|毫秒|seconds|sec|s|秒|gb|tb|mb|usd|美元|eur|rmb|cny|元)(?![\p{Script=Latin}]))?(?![\p{Script=Latin}\d_])/giu

const SPELLED: Readonly<Record<string, number>> = {
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  hundred: 100,
  dozen: 12,
}
const SPELLED_NUMBER = new RegExp(`(?<![\\p{L}-])(?:${Object.keys(SPELLED).join('|')})(?![\\p{L}])`, 'giu')
const CHINESE_NUMBER =
  /(百分之)?([一二两三四五六七八九十百千万亿]{1,12})(?=余?多?(?:人|年|个|名|倍|成|次|款|家|万|亿|项|天|周|支|台|条|套|门|种|位)|$)/gu

function numbersIn(text: string): readonly Figure[] {
  const plain = [...text.matchAll(NUMBER)].map(([said, money = '', digits = '', scale = '', unit = '']) => ({
    value: rounded(Number(digits.replaceAll(',', '')) * (SCALE[scale.toLowerCase()] ?? 1)),
    unit: UNITS[money.trim()] ?? UNITS[unit.toLowerCase()] ?? '',
    said: said.trim(),
  }))
  const spelled = [...text.matchAll(SPELLED_NUMBER)].map(([said]) => ({
    value: SPELLED[said.toLowerCase()] ?? 0,
    unit: '',
    said,
  }))
  return [...plain, ...spelled, ...chineseNumbers(text)]
}

function chineseNumbers(text: string): readonly Figure[] {
  return [...text.matchAll(CHINESE_NUMBER)].flatMap(([said, percent, digits = '']) => {
    const value = chineseValue(digits)
    // 一个, 一种: nobody counts.
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
