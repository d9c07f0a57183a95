import { LunarDay, LunarYear } from 'tyme4ts'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { birthAt, inARow } from './birth.fixture.ts'
import { chartOf } from './chart-of.ts'

describe('a day of birth', () => {
  it.each([
    ['2001-06-31', {}, 'birthDate: there is no 2001-06-31 in the solar calendar.'],
    ['1900-02-29', {}, 'birthDate: there is no 1900-02-29 in the solar calendar.'],
    ['2001-13-01', {}, 'birthDate: there is no 2001-13-01 in the solar calendar.'],
    ['1899-12-31', {}, 'birthDate: charts reach from 1900 to 2100; this is 1899.'],
    ['2101-01-01', {}, 'birthDate: charts reach from 1900 to 2100; this is 2101.'],
    ['2.5-01-01', {}, 'birthDate: year, month and day must be whole numbers.'],
    ['2024-01-30', { lunar: true }, 'birthDate: the lunar month 2024-01 has 29 days, and no day 30.'],
    ['2023-13-01', { lunar: true }, 'birthDate: a lunar month is one of 1 to 12; this is 13.'],
    [
      '2023-04-01',
      { lunar: true, leap: true },
      'birthDate: the lunar year 2023 has a leap month 2, and no leap month 4.',
    ],
    [
      '2024-04-01',
      { lunar: true, leap: true },
      'birthDate: the lunar year 2024 has no leap month, and no leap month 4.',
    ],
    ['1800-01-01', { lunar: true }, 'birthDate: charts reach from 1900 to 2100; this is 1800.'],
  ])('%s %j is refused', (text, how, sentence) => {
    expect(() => chartOf(birthAt(text, how))).toThrow(sentence)
  })

  it.each(['24:00', '-1:00', '12:60', '12.5:00'])('at %s is refused', (time) => {
    expect(() => chartOf(birthAt(`2000-01-01 ${time}`))).toThrow(/^birthTime: there is no /)
  })

  it('may be told by the lunar calendar, the second month of a number too', () => {
    const first = chartOf(birthAt('2023-02-15 10:00', { lunar: true }))
    const second = chartOf(birthAt('2023-02-15 10:00', { lunar: true, leap: true }))

    expect([first.clock.said, second.clock.said]).toEqual(['2023-03-06T10:00', '2023-04-05T10:00'])
    expect([first.lunarDate, second.lunarDate]).toEqual(['二〇二三年二月十五', '二〇二三年闰二月十五'])
  })

  it('gives the same chart by either calendar', () => {
    const lunarDays = fc
      .record({
        year: fc.integer({ min: 1900, max: 2099 }),
        month: fc.integer({ min: 0, max: 12 }),
        day: fc.integer({ min: 1, max: 29 }),
      })
      .map(({ year, month, day }) => {
        const months = LunarYear.fromYear(year).getMonths()
        return { year, month: months[month % months.length]?.getMonthWithLeap() ?? 1, day }
      })
    fc.assert(
      fc.property(lunarDays, ({ year, month, day }) => {
        const solar = LunarDay.fromYmd(year, month, day).getSolarDay()
        const byMoon = birthAt(`${year}-${Math.abs(month)}-${day} 10:00`, { lunar: true, leap: month < 0 })
        const bySun = birthAt(`${solar.getYear()}-${solar.getMonth()}-${solar.getDay()} 10:00`)
        expect(inARow(chartOf(byMoon))).toBe(inARow(chartOf(bySun)))
      }),
    )
  })
})
