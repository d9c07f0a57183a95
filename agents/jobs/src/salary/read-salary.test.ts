import { readFileSync } from 'node:fs'

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { leastByTheYear, readSalary, statedSalary } from './read-salary.ts'
import type { Period } from './salary.ts'

type Sum = number | null
type Pay = [text: string, min: Sum, max: Sum, string | null, Period | null, Sum, Sum, months?: Sum]
const cases = JSON.parse(readFileSync(new URL('../../test/salaries.json', import.meta.url), 'utf8')) as {
  readonly pay: readonly Pay[]
  readonly noPay: readonly string[]
}

describe('pay in words', () => {
  it.each(cases.pay)('reads %s', (...pay) => {
    const [text, min, max, currency, period, annualMin, annualMax, months = null] = pay
    expect(readSalary(text)).toEqual({ text, min, max, currency, period, months, annualMin, annualMax })
  })

  it.each(cases.noPay)('reads no pay in %j', (text) => {
    expect(readSalary(text)).toBeNull()
  })

  it('keeps its text if it cannot be read', () => {
    expect(statedSalary('面议')).toMatchObject({ text: '面议', min: null, annualMax: null })
  })

  it('is read from any text with min below max', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom('30', '5', ',', '.', ' ', '-', 'k', '万', '薪', '$', '/', 'yr', '月', 'to'),
          { maxLength: 400 },
        ),
        (pieces) => {
          const text = pieces.join('')
          const read = readSalary(text)
          if (!read) return
          expect(read.text).toBe(text)
          expect((read.min ?? 0) <= (read.max ?? Number.POSITIVE_INFINITY)).toBe(true)
          expect((read.max ?? read.min ?? 0) > 0).toBe(true)
        },
      ),
    )
  })
})

describe('a filter by pay', () => {
  it.each([
    ['190k', 190_000],
    ['$120,000+', 120_000],
    ['90,000', 90_000],
    ['30万', 300_000],
    ['25k/月', 300_000],
    ['$60/hr', 124_800],
    ['30k', undefined],
    ['up to 80k', undefined],
    ['any', undefined],
    ['', undefined],
  ])('%j asks for %s a year', (text, least) => {
    expect(leastByTheYear(text)).toBe(least)
  })
})
