import { isJsonObject, type Json } from '../../events/index.ts'

/** Pay as a posting states it, and by the year where that can be told. */
export type Salary = {
  readonly text: string
  readonly min: number | null
  readonly max: number | null
  readonly currency: string | null
  readonly period: Period | null
  readonly annualMin: number | null
  readonly annualMax: number | null
}

type Period = 'hour' | 'day' | 'week' | 'month' | 'year'

/** How many of a period make a working year. */
const PER_YEAR: Readonly<Record<Period, number>> = { hour: 2080, day: 260, week: 52, month: 12, year: 1 }

const otherNames: ReadonlyMap<string, Period> = new Map([
  ['hr', 'hour'],
  ['daily', 'day'],
  ['mon', 'month'],
  ['annual', 'year'],
  ['annually', 'year'],
])

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
  const annual = (sum: number | null): number | null =>
    // Without a period nobody can tell a month's pay from a year's.
    sum === null || period === null ? null : Math.round(sum * PER_YEAR[period])
  return {
    text: words({ min, max, currency, period }),
    min,
    max,
    currency,
    period,
    annualMin: annual(min),
    annualMax: annual(max),
  }
}

/** Pay in a page's own words: kept as they are, for nothing tells what their numbers mean. */
export function statedSalary(text: string): Salary {
  return { text, min: null, max: null, currency: null, period: null, annualMin: null, annualMax: null }
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
  const name = typeof value === 'string' ? value.trim().toLowerCase() : ''
  const known = /^(?:per\s+)?(hour|day|week|month|year)(?:ly|s)?$/.exec(name)?.[1]
  if (known !== undefined) return known as Period
  return otherNames.get(name) ?? null
}
