import { normalForm } from 'dragoman/events'
import money from './money.json' with { type: 'json' }
import { annually, periodNamed, type Period, type Salary } from './salary.ts'
import { chineseCurrency, currencyIn, type SumContext } from './currency.ts'

/** Pay is said in few words: what comes after so many characters is not looked at. */
const MAX_CHARACTERS = 500

const NUMBER = String.raw`\d{1,3}(?:[,.' ]\d{3}){1,8}(?:[.,]\d{1,2})?(?!\d)|\d+(?:[.,]\d+)?`
const UNIT = String.raw`k|m|w|万|千|thousand|lakhs?|lpa`
const SIGN = String.raw`(?:us|hk|sg|s|au|a|ca|c|nz|nt|r)?[$£€¥₹]`
const PERIOD = String.raw`hour|hr|h|day|d|week|wk|month|mo|mon|year|yr|annum|小时|时|天|日|周|月|年`
const AMOUNT = String.raw`(?:${SIGN}\s{0,4}|(?<![a-z\d.])(?<!\d,))(${NUMBER})\s{0,4}(?:(${UNIT})(?![a-z]))?`
const CODE = String.raw`[a-z]{3}(?![a-z])`
const PER = String.raw`(?:\s{0,4}(?:元|${CODE})?\s{0,4}(?:/|per\s)\s{0,4}(?:${PERIOD}))?(?:\s{0,4}${CODE})?`
/** Two amounts, or one: `$120k/yr – 150k/yr`. */
const PAY = new RegExp(
  String.raw`${AMOUNT}(?:${PER}元?\s{0,4}(?:-|–|—|~|至|到|\bto\b|\band\b)\s{0,4}${AMOUNT})?`,
  'giu',
)

const ADVERB = 'hourly|daily|weekly|monthly|yearly|annually'
const AFTER = new RegExp(
  String.raw`^\+?\s*(?:(?:元|rmb|gross|base|税前|以上|起|[a-z]{3}(?![a-z]))\s*)?` +
    String.raw`(?:(?:/|\bper\s|\ban?\s|\beach\s|每|一个?)\s*(${PERIOD})(?![a-z])|` +
    String.raw`(${ADVERB}|p\.?[ahd]\.?|pcm)(?![a-z]))`,
  'iu',
)
const BEFORE = new RegExp(
  String.raw`(${ADVERB}|annual|时薪|日薪|周薪|月薪|年薪|年收入|年包|年収|月収|時給|日給|` +
    String.raw`per\s(?:hour|day|week|month|year))[^\d]{0,20}$`,
  'iu',
)

const INSIDE = new RegExp(String.raw`(?:/|per\s)\s*(${PERIOD})`, 'iu')

/** What a number is followed by where it is money although nothing says of which country. */
const NOTHING_ELSE =
  /^\+?\s*(?:$|[^\p{L}\p{N}\s]|元|人民币|税前|以上|左右|起|或|to\b|and\b|per\b|plus\b|gross\b|base\b|doe\b|ote\b|an?\s)/iu
const BONUS = /(?:bonus|equity|stock|奖金|401\s*\(?)[^\d]{0,12}$/iu
const BONUS_AFTER = /^\+?\s*(?:sign|bonus|in equity|in stock|奖金|期权)/iu

type Amounts = Readonly<Record<string, number>>
const FACTORS: Amounts = money.factors

/**
 * Reads pay in a stranger's words, English or Chinese: `$120k–150k`, `30-50K·14薪`, `up to £80k`. Null where they name
 * no sum, as in `competitive` and `面议`. A currency and a period that the words leave open are only filled in where
 * one alone is meant.
 */
export function readSalary(text: string): Salary | null {
  const statement = normalForm(text.slice(0, MAX_CHARACTERS), 'NFKC').replaceAll(/\s+/g, ' ')
  for (const found of statement.matchAll(PAY)) {
    const context = {
      before: statement.slice(0, found.index),
      match: found[0],
      after: statement.slice(found.index + found[0].length),
    }
    const sums = sumsOf(found, context)
    const salary = sums && salaryIn(text, sums, context)
    if (salary) return salary
  }
  return null
}

/** Pay in a page's own words: kept as they are, and read where they can be. */
export function statedSalary(text: string): Salary {
  const unread = { min: null, max: null, currency: null, period: null, months: null }
  return readSalary(text) ?? { text, ...unread, annualMin: null, annualMax: null }
}

type Sums = { readonly low: number; readonly high: number; readonly unit: string }

/** The two ends, each in whole money: `2-3万` says its unit once, `8000-1.2万` for one of them. */
function sumsOf(
  [, first = '', firstUnit, second, secondUnit]: RegExpExecArray,
  { before }: SumContext,
): Sums | null {
  const [units, others] = [firstUnit?.toLowerCase() ?? '', secondUnit?.toLowerCase() ?? '']
  const low = number(first, units || others)
  const high = second === undefined ? low : number(second, others || units)
  const [least = 0, most = 0] = [
    low * times(units || (second !== undefined && low <= high ? others : '')),
    high * times(others || (high >= low ? units : '')),
  ].toSorted((a, b) => a - b)
  // `401k` is a pension.
  if (least <= 0 || most >= 1e10 || BONUS.test(before) || (least === 401e3 && most === least)) return null
  return { low: least, high: most, unit: units || others }
}

function times(unit: string): number {
  return FACTORS[unit] ?? 1
}

/** `55.000` and `120,000.00` are thousands; before a unit a point is a point. */
function number(text: string, unit: string): number {
  const grouped =
    unit === '' ? /^\d{1,3}(?:[,.' ]\d{3})+(?:[.,]\d{1,2})?$/ : /^\d{1,3}(?:[,' ]\d{3})+(?:\.\d{1,2})?$/
  if (!grouped.test(text)) return Number(text.replace(',', '.').replaceAll(/[ ']/g, ''))
  const [, whole = '', cents = ''] = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(text) ?? []
  return Number(`${whole.replaceAll(/\D/g, '')}.${cents || '0'}`)
}

function salaryIn(text: string, sums: Sums, context: SumContext): Salary | null {
  const { low, high, unit } = sums
  if (BONUS_AFTER.test(context.after)) return null
  const months = monthsIn(context)
  const named = currencyIn(context)
  const stated = periodIn(context, unit)
  if (!isMoney(sums, context, { named, stated, months })) return null
  const currency = named ?? (unit === 'lpa' ? 'INR' : chineseCurrency(sums, context, months))
  const period = stated ?? (months === null ? usualPeriod(currency, low) : 'month')
  const [min, max] = ends(context, low, high)
  const annual = (sum: number | null): number | null => annually(sum, period, months)
  return { text, min, max, currency, period, months, annualMin: annual(min), annualMax: annual(max) }
}

type Statement = {
  readonly named: string | null
  readonly stated: Period | null
  readonly months: number | null
}

/** Numbers stand everywhere: a bare one is pay only where nothing else can be meant. */
function isMoney(
  { low, unit }: Sums,
  { before, after }: SumContext,
  { named, stated, months }: Statement,
): boolean {
  // Millions are rather a funding round, except in yen and won.
  if (unit === 'm') return named === 'JPY' || named === 'KRW' || (named !== null && low < 5e6)
  if (named !== null || months !== null || unit === 'lpa') return true
  if (unit !== '') return stated !== null || NOTHING_ELSE.test(after)
  if (stated === 'hour') return low >= 5
  if (stated !== null) return low >= 100
  return (
    low >= 1000 && /^[^\p{L}\d]*(?:(?:from|up to|salary|pay|薪资|薪酬)[^\p{L}\d]*)?$/iu.test(before + after)
  )
}

function periodIn({ before, match, after }: SumContext, unit: string): Period | null {
  const inside = INSIDE.exec(match)?.[1]
  const [, named, adverb] = AFTER.exec(after) ?? []
  const statement = named ?? adverb ?? BEFORE.exec(before)?.[1] ?? inside
  if (statement !== undefined) return periodNamed(statement.replace(/^per\s/i, ''))
  return unit === 'lpa' ? 'year' : null
}

const MONTHS = /^[^\d]{0,6}(\d\d(?:\.\d)?)(?:\s*[-~]\s*\d\d)?\s*(?:薪|个月)|^[^\d]{0,6}[x×*]\s*(\d\d)(?!\d)/iu
const MONTHS_BEFORE = /(\d\d(?:\.\d)?)\s*薪[^\d]{0,6}$/u

/** `14薪`, `14-16薪` (the less of them), `×14`. */
function monthsIn({ before, after }: SumContext): number | null {
  const statement = MONTHS.exec(after) ?? MONTHS_BEFORE.exec(before)
  const months = Number(statement?.[1] ?? statement?.[2])
  return months >= 12 && months <= 36 ? months : null
}

function ends(
  { before, after }: SumContext,
  low: number,
  high: number,
): readonly [number | null, number | null] {
  if (low !== high) return [low, high]
  if (/(?:up to|max(?:imum)?|less than|under|最高|不超过)[^\d]{0,8}$/iu.test(before)) return [null, high]
  if (/(?:from|starting(?: at)?|at least|min(?:imum)?|over|起薪|至少|不低于)[^\d]{0,8}$/iu.test(before))
    return [low, null]
  if (/^\s*(?:以内|以下)/u.test(after)) return [null, high]
  return after.startsWith('+') || /^\s*(?:[元+]\s*)?(?:以上|起)/u.test(after) ? [low, null] : [low, high]
}

/** A sum of this size without a period can only be for a year. A smaller one may be for a month. */
const MIN_YEARLY: Amounts = money.minYearly

function usualPeriod(currency: string | null, low: number): Period | null {
  if (currency === 'CNY') return low >= 100e3 ? 'year' : 'month'
  if (currency === null) return low >= 100e3 && low < 1e6 ? 'year' : null
  const least = MIN_YEARLY[currency] ?? 1.5e6
  return low >= least ? 'year' : null
}

/**
 * What a filter asks for by the year: `190k`, `$120,000+`, `30万`, `25k/月`. Not what `30k` asks for: it may be a
 * month's pay.
 */
export function leastByTheYear(text: string): number | undefined {
  const read = readSalary(text)
  if (!read) return undefined
  const whole = read.period === null && !/[kw万千]/iu.test(normalForm(text, 'NFKC')) ? read.min : null
  return read.annualMin ?? whole ?? undefined
}
