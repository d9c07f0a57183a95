import { describe, expect, it } from 'vitest'

import type { Json } from 'dragoman/events'
import { salaryOf } from './salary.ts'

const amount = (value: Json, currency = 'USD'): Json => ({ '@type': 'MonetaryAmount', currency, value })

describe('the pay in a JobPosting', () => {
  it.each<[Json, string, number | null, number | null]>([
    [
      amount({ minValue: 100_000, maxValue: 120_000, unitText: 'YEAR' }),
      'USD 100,000–120,000 / year',
      100_000,
      120_000,
    ],
    [
      amount({ minValue: 25_000, maxValue: 40_000, unitText: 'MONTH' }, 'cny'),
      'CNY 25,000–40,000 / month',
      300_000,
      480_000,
    ],
    [amount({ value: 2000, unitText: 'WEEK' }), 'USD 2,000 / week', 104_000, 104_000],
    [amount({ value: 600, unitText: 'DAY' }, 'GBP'), 'GBP 600 / day', 156_000, 156_000],
    [amount({ value: '85.50', unitText: 'HOUR' }), 'USD 85.5 / hour', 177_840, 177_840],
    [amount({ minValue: '90,000', unitText: 'per year' }), 'USD from 90,000 / year', 90_000, null],
    [amount({ maxValue: 90_000, unitText: 'Yearly' }), 'USD up to 90,000 / year', null, 90_000],
    [amount({ minValue: 120, maxValue: 100, unitText: 'HOUR' }), 'USD 100–120 / hour', 208_000, 249_600],
    [
      { currency: 'EUR', minValue: 50_000, maxValue: 60_000, unitText: 'ANNUAL' },
      'EUR 50,000–60,000 / year',
      50_000,
      60_000,
    ],
    [amount(150_000), 'USD 150,000', null, null],
    [150_000, '150,000', null, null],
  ])('%j reads %s', (base, text, annualMin, annualMax) => {
    expect(salaryOf(base)).toMatchObject({ text, annualMin, annualMax })
  })

  it.each<Json | undefined>([
    undefined,
    null,
    0,
    'competitive',
    {},
    amount({ value: 0 }),
    amount({ minValue: -5 }),
    [],
  ])('%j is none', (base) => {
    expect(salaryOf(base)).toBeNull()
  })
})
