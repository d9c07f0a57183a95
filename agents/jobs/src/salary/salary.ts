import { isJsonObject, type Json } from 'dragoman/events'

/** Pay as a posting states it, and for a year if that is certain. */
export type Salary = {
  readonly text: string
  readonly min: number | null
  readonly max: number | null
  readonly currency: string | null
  readonly period: Period | null
  /** Months' pay in a year, where it is said: `14薪`. */
  readonly months: number | null
  readonly annualMin: number | null
  readonly annualMax: number | null
}

export type Period = 'hour' | 'day' | 'week' | 'month' | 'year'

/** How many of a period make a working year. */
const PER_YEAR: Readonly<Record<Period, number>> = { hour: 2080, day: 260, week: 52, month: 12, year: 1 }

const otherNames: ReadonlyMap<string, Period> = new Map([
  ...named('hour', 'hr h p.h. ph 小时 时 时薪 時給'),
  ...named('day', 'daily d p.d. pd 天 日 日薪 日給'),
  ...named('week', 'wk 周 周薪'),
  ...named('month', 'mon mo pcm 月 月薪 月収'),
  ...named('year', 'yr annual annually annum p.a. pa 年 年薪 年收入 年包 年収'),
])

function named(period: Period, names: string): readonly (readonly [string, Period])[] {
  return names.split(' ').map((name) => [name, period])
}

/** Reads schema.org's `baseSalary`: a number, a MonetaryAmount, or one with a QuantitativeValue in it. */
export function salaryOf(base: Json | undefined): Salary | null {
  if (Array.isArray(base)) return salaryOf(base[0])
  const amount = isJsonObject(base) ? base : { value: base ?? null }
  const value = isJsonObject(amount['value']) ? amount['value'] : amount
  const single = number(value['value'])
  const low = number(value['minValue']) ?? number(amount['minValue']) ?? single
  const high = number(value['maxValue']) ?? number(amount['maxValue']) ?? single
  if (low === null && high === null) return null

  const [min, max] = low !== null && high !== null && low > high ? [high, low] : [low, high]
  const currency = code(amount['currency'] ?? value['currency'])
  const period = periodOf(value['unitText'] ?? amount['unitText'])
  return {
    text: words({ min, max, currency, period }),
    min,
    max,
    currency,
    period,
    months: null,
    annualMin: annually(min, period, null),
    annualMax: annually(max, period, null),
  }
}

/** A sum for a year. Without a period it may be for a month or a year. */
export function annually(sum: number | null, period: Period | null, months: number | null): number | null {
  if (sum === null || period === null) return null
  return Math.round(sum * (period === 'month' ? (months ?? PER_YEAR.month) : PER_YEAR[period]))
}

function words({ min, max, currency, period }: Pick<Salary, 'min' | 'max' | 'currency' | 'period'>): string {
  const ends = [...new Set([min, max].filter((sum) => sum !== null))].map((sum) =>
    sum.toLocaleString('en-US'),
  )
  const range = ends.length === 1 && max === null ? `from ${ends[0]}` : ends.join('–')
  const upTo = ends.length === 1 && min === null ? 'up to ' : ''
  return `${currency ? `${currency} ` : ''}${upTo}${range}${period ? ` / ${period}` : ''}`
}

/** A positive number, also one that is written as text: `120000`, `120,000.00`. Zero means that nothing is said. */
function number(value: Json | undefined): number | null {
  const read =
    typeof value === 'string' && /^\s*\d[\d,]*(\.\d+)?\s*$/.test(value)
      ? Number(value.replaceAll(',', ''))
      : value
  return typeof read === 'number' && Number.isFinite(read) && read > 0 ? read : null
}

function code(value: Json | undefined): string | null {
  return typeof value === 'string' && /^[a-z]{3}$/i.test(value.trim()) ? value.trim().toUpperCase() : null
}

function periodOf(value: Json | undefined): Period | null {
  return typeof value === 'string' ? periodNamed(value) : null
}

/** The period that a word stands for: `hourly`, `yr`, `年薪`. */
export function periodNamed(text: string): Period | null {
  const name = text.trim().toLowerCase()
  const unit = /^(?:per\s+)?(hour|day|week|month|year)(?:ly|s)?$/.exec(name)?.[1]
  if (unit !== undefined) return unit as Period
  return otherNames.get(name) ?? null
}
