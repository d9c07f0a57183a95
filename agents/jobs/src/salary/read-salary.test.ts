import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { leastByTheYear, readSalary, statedSalary } from './read-salary.ts'
import type { Period } from './salary.ts'

type Read = readonly [
  min: number | null,
  max: number | null,
  currency: string | null,
  period: Period | null,
  annual: readonly [number | null, number | null],
  months?: number,
]

const year = (min: number | null, max: number | null, currency: string | null): Read => [
  min,
  max,
  currency,
  'year',
  [min, max],
]
const month = (min: number, max: number, currency = 'CNY', months?: number): Read => {
  const annual = [min * (months ?? 12), max * (months ?? 12)] as const
  return months === undefined
    ? [min, max, currency, 'month', annual]
    : [min, max, currency, 'month', annual, months]
}

describe('pay in words', () => {
  it.each<[string, Read]>([
    ['$120k–150k', year(120_000, 150_000, 'USD')],
    ['$120–150k', year(120_000, 150_000, 'USD')],
    ['$120K - $150K', year(120_000, 150_000, 'USD')],
    ['120,000 - 150,000 USD/yr', year(120_000, 150_000, 'USD')],
    ['USD 120,000.00 to 150,000.00 per year', year(120_000, 150_000, 'USD')],
    ['$170,000 - $205,000 a year, plus equity', year(170_000, 205_000, 'USD')],
    ['$230K – $275K • Offers Equity', year(230_000, 275_000, 'USD')],
    ['$120,000 CAD', year(120_000, 120_000, 'CAD')],
    ['£55,000 pa', year(55_000, 55_000, 'GBP')],
    ['£50k-£60k per annum', year(50_000, 60_000, 'GBP')],
    ['£600/day', [600, 600, 'GBP', 'day', [156_000, 156_000]]],
    ['£500 - £600pd', [500, 600, 'GBP', 'day', [130_000, 156_000]]],
    ['€55.000', year(55_000, 55_000, 'EUR')],
    ['55.000,00 € brutto', year(55_000, 55_000, 'EUR')],
    ['€ 60 000 – 70 000', year(60_000, 70_000, 'EUR')],
    ['up to £80k', year(null, 80_000, 'GBP')],
    ['from $50/hr', [50, null, 'USD', 'hour', [104_000, null]]],
    ['$85 - $105 an hour - Contract, Full-time', [85, 105, 'USD', 'hour', [176_800, 218_400]]],
    ['$50/hr - $60/hr', [50, 60, 'USD', 'hour', [104_000, 124_800]]],
    ['$2,000 weekly', [2000, 2000, 'USD', 'week', [104_000, 104_000]]],
    ['$120,000+', year(120_000, null, 'USD')],
    ['190k', year(190_000, 190_000, null)],
    ['CHF 120k', year(120_000, 120_000, 'CHF')],
    ['A$150k + super', year(150_000, 150_000, 'AUD')],
    ['S$8,000 - 12,000 per month', month(8000, 12_000, 'SGD')],
    ['HK$40,000/month', month(40_000, 40_000, 'HKD')],
    ['₹18-25 LPA', year(1_800_000, 2_500_000, 'INR')],
    ['¥6,000,000 - ¥9,000,000', year(6_000_000, 9_000_000, 'JPY')],
    ['年収600万円', [6_000_000, 6_000_000, 'JPY', 'year', [6_000_000, 6_000_000]]],
    ['Signing bonus $10k, base $150k-$170k', year(150_000, 170_000, 'USD')],
    ['$150k, 4 days a week', year(150_000, 150_000, 'USD')],
    ['Salary: 3-5 years, $90k', year(90_000, 90_000, 'USD')],
    ['30-50K', month(30_000, 50_000)],
    ['30-50K·14薪', month(30_000, 50_000, 'CNY', 14)],
    ['25-40k·15薪', month(25_000, 40_000, 'CNY', 15)],
    ['20-35K·13-15薪', month(20_000, 35_000, 'CNY', 13)],
    ['25k×14', month(25_000, 25_000, 'CNY', 14)],
    ['3-5年 30-50K·14薪', month(30_000, 50_000, 'CNY', 14)],
    ['14薪 30-50K', month(30_000, 50_000, 'CNY', 14)],
    ['15000-25000/月', month(15_000, 25_000)],
    ['经验3年以上，20-30k/月', month(20_000, 30_000)],
    ['20w-40w', year(200_000, 400_000, 'CNY')],
    ['年薪20W-40W', year(200_000, 400_000, 'CNY')],
    ['¥6M', year(6_000_000, 6_000_000, 'JPY')],
    ['5 years of experience, 150k', year(150_000, 150_000, null)],
    ['2-3万/月', month(20_000, 30_000)],
    ['1.5-2万', month(15_000, 20_000)],
    ['2万-3万', month(20_000, 30_000)],
    ['15-25k/月', month(15_000, 25_000)],
    ['15k/月-25k/月', month(15_000, 25_000)],
    ['8千-1.2万', month(8000, 12_000)],
    ['8000-1.2万/月', month(8000, 12_000)],
    ['8000-12000元/月', month(8000, 12_000)],
    ['月薪 8000-12000 元', month(8000, 12_000)],
    ['￥１５０００－２００００', month(15_000, 20_000)],
    ['RMB 30,000-50,000 per month', month(30_000, 50_000)],
    ['40万-60万/年', year(400_000, 600_000, 'CNY')],
    ['年薪30-50万', year(300_000, 500_000, 'CNY')],
    ['30万', year(300_000, 300_000, 'CNY')],
    ['30万以上', year(300_000, null, 'CNY')],
    ['最高50万', year(null, 500_000, 'CNY')],
    ['年薪 10万美元', year(100_000, 100_000, 'USD')],
    ['300元/天', [300, 300, 'CNY', 'day', [78_000, 78_000]]],
    ['时薪 50 元', [50, 50, 'CNY', 'hour', [104_000, 104_000]]],
    ['30k', [30_000, 30_000, null, null, [null, null]]],
    ['$600', [600, 600, 'USD', null, [null, null]]],
    ['20,000 - 30,000', [20_000, 30_000, null, null, [null, null]]],
  ])('%s', (text, [min, max, currency, period, [annualMin, annualMax], months = null]) => {
    expect(readSalary(text)).toEqual({ text, min, max, currency, period, months, annualMin, annualMax })
  })

  it.each([
    '',
    '面议',
    '薪资面议',
    'negotiable',
    'competitive',
    'Competitive salary, DOE',
    '401k match',
    '401(k) and dental',
    '3-5年经验',
    '5 years of experience',
    'We serve 10k users',
    '服务100万用户',
    '4 days a week',
    '40 hours per week',
    '24/7',
    '$0',
    'Founded in 2019',
    '$10k bonus',
    '$50m raised',
    '100% remote',
    'k',
    '-',
  ])('%j names no sum', (text) => {
    expect(readSalary(text)).toBeNull()
  })

  it('is kept as it is said where it cannot be read', () => {
    expect(statedSalary('面议')).toMatchObject({ text: '面议', min: null, annualMax: null })
  })

  it('is read from any text in no time, and never turned round', () => {
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
