import { describe, expect, it } from 'vitest'

import { birthAt, chengdu, harbin, inARow, kashgar, shanghai, urumqi } from './birth.fixture.ts'
import { chartOf } from './chart-of.ts'
import type { Chart } from './chart.ts'
import cases from '../../test/data/charts.json' with { type: 'json' }

/** The first cycles, each with the age at which it begins as China counts it. */
const luckOf = ({ luck }: Chart, count: number): string =>
  luck.cycles
    .slice(0, count)
    .map(({ name, nominalAge }) => `${name}${nominalAge}`)
    .join(' ')

/** From the test suites of tyme4ts and lunar-typescript. */
describe('a chart that others have published', () => {
  it.each(Object.entries(cases.published))('of %s is %s', (text, pillars) => {
    expect(inARow(chartOf(birthAt(text)))).toBe(pillars)
  })

  it('begins its day at midnight where that is chosen, and takes the hour’s stem from the next day', () => {
    const chart = chartOf(birthAt('1988-02-15 23:30', { options: { dayBoundary: '00:00' } }))

    expect(inARow(chart)).toBe('戊辰 甲寅 庚子 戊子')
  })

  it('tells all of each pillar', () => {
    const { pillars, origins, dayMaster, zodiac, lunarDate } = chartOf(birthAt('2005-12-23 08:37'))
    const { year, month, day, hour } = pillars
    const all = [year, month, day, ...(hour ? [hour] : [])]

    expect(all.map(({ hidden }) => hidden.map(({ stem }) => stem).join(''))).toEqual([
      '辛',
      '癸',
      '丙庚戊',
      '戊乙癸',
    ])
    expect(all.map(({ tenGod }) => tenGod)).toEqual(['偏财', '正印', '日主', '伤官'])
    expect(all.map(({ hidden }) => hidden.map(({ tenGod }) => tenGod).join('/'))).toEqual([
      '比肩',
      '食神',
      '正官/劫财/正印',
      '正印/偏财/食神',
    ])
    expect(all.map(({ phase }) => phase)).toEqual(['临官', '长生', '死', '墓'])
    expect(all.map(({ sound }) => sound)).toEqual(['泉中水', '霹雳火', '白蜡金', '长流水'])
    expect(origins).toMatchObject({ conception: '己卯', lifePalace: '己丑' })
    expect([dayMaster, zodiac, lunarDate]).toEqual([
      { stem: '辛', element: '金', polarity: '阴' },
      '鸡',
      '二〇〇五年十一月廿三',
    ])
  })

  it.each([
    ['1983-02-15 20:00', 'female', '1989-05-04T18:24', [6, 2, 18], '乙卯7 丙辰17 丁巳27 戊午37'],
    ['1992-02-02 12:00', 'male', '2001-02-11T18:58', [9, 0, 9], '庚子10 己亥20 戊戌30 丁酉40'],
    ['1990-03-15 10:30', 'male', '1997-03-11T00:22', [6, 11, 23], '庚辰8'],
    ['1998-07-31 14:10', 'male', '2001-01-26T09:50', [2, 5, 25], '庚申4 辛酉14 壬戌24'],
    ['1990-05-15 14:30', 'male', '1997-08-05T23:06', [7, 2, 21], '壬午8 癸未18'],
    ['2022-03-09 20:51', 'male', '2030-12-12', [8, 9, 2], '甲辰9'],
  ] as const)('of %s (%s) begins its luck at %s', (...row) => {
    const [text, gender, start, [years, months, days], cycles] = row
    const chart = chartOf(birthAt(text, { gender }))

    expect(chart.luck.start).toContain(start)
    expect(chart.luck.after).toMatchObject({ years, months, days })
    expect(luckOf(chart, cycles.split(' ').length)).toBe(cycles)
    expect(chart.luck.cycles).toHaveLength(10)
    expect(chart.luck.cycles[0]).toMatchObject({ startAge: years, startYear: Number(start.slice(0, 4)) })
  })

  it.each([
    ['1998-07-31 14:10', { conception: '庚戌', lifePalace: '乙卯' }],
    ['1990-05-15 14:30', { conception: '壬申', lifePalace: '辛巳', bodyPalace: '己丑' }],
  ])('of %s has its origins', (text, origins) => {
    expect(chartOf(birthAt(text)).origins).toMatchObject(origins)
  })

  it('names the void branches', () => {
    const { year, month } = chartOf(birthAt('1990-05-15 14:30')).pillars

    expect([year.voids.join(''), month.voids.join('')]).toEqual(['戌亥', '申酉'])
  })
})

describe('the sun over a place', () => {
  it.each([
    ['Ürümqi in May', urumqi, '1990-05-15 12:00', -125.8],
    ['Kashgar in November', kashgar, '1990-11-08 12:00', -159.7],
    ['Chengdu in February', chengdu, '1990-02-15 12:00', -78.3],
    ['Harbin in November', harbin, '1990-11-05 12:00', 42.9],
  ])('in %s', (_name, place, text, minutes) => {
    const { solarCorrection } = chartOf(birthAt(text, { place })).clock

    expect(Math.abs(solarCorrection - minutes)).toBeLessThanOrEqual(0.5)
  })
})

describe('beyond the date line', () => {
  it('the day is that of the calendar there, also by the sun', () => {
    const apia = { name: 'Apia', latitude: -13.83, longitude: -171.76, zone: 'Pacific/Apia' }
    const options = { trueSolarTime: true }
    const [summer, winter] = ['2012-01-15 12:00', '2015-07-15 12:00'].map((text) =>
      chartOf(birthAt(text, { place: apia, options })),
    )

    expect([summer?.clock.dst, summer?.clock.used]).toEqual([60, '2012-01-15T10:24'])
    expect([winter?.clock.dst, winter?.clock.used]).toEqual([0, '2015-07-15T11:27'])
    expect([summer?.pillars.day.name, winter?.pillars.day.name]).toEqual(['乙亥', '壬辰'])
  })
})

describe('summer time', () => {
  it('is taken off the hour', () => {
    const { clock, pillars } = chartOf(birthAt('1988-07-01 15:30', { place: shanghai }))

    expect([pillars.day.name, pillars.hour?.name]).toEqual(['丁巳', '丁未'])
    expect(clock).toMatchObject({
      dst: 60,
      utcOffset: 540,
      said: '1988-07-01T15:30',
      used: '1988-07-01T14:30',
    })
    expect(clock.instant).toBe('1988-07-01T06:30:00.000Z')
  })

  it('is left on where that is chosen, and where no place is known', () => {
    const standardTime = chartOf(
      birthAt('1988-07-01 15:30', { place: shanghai, options: { applyDst: false } }),
    )
    const nowhere = chartOf(birthAt('1988-07-01 15:30'))

    expect([standardTime.pillars.hour?.name, nowhere.pillars.hour?.name]).toEqual(['戊申', '戊申'])
    expect([standardTime.clock.dst, nowhere.clock.dst]).toEqual([0, 0])
  })
})
