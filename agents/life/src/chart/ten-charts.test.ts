import { describe, expect, it } from 'vitest'

import type { Birth } from '../birth/birth.ts'
import { beijing, birthAt, hongKong, inARow, kashgar, newYork, shanghai, urumqi } from './birth.fixture.ts'
import { chartOf } from './chart-of.ts'
import type { Alternative, ChartWarning } from './chart.ts'

type Warned = readonly [ChartWarning['code'], Alternative['pillars']?]
type Checked = {
  readonly of: string
  readonly birth: Birth
  /** How it is found by hand: read where the test fails. */
  readonly because: string
  readonly pillars: string
  readonly warnings: readonly Warned[]
}

/**
 * Each can be found again on paper. Years: 1984 is 甲子, and the sixty run from there. Months: 甲 and 己 years begin with
 * 丙寅, 乙 and 庚 with 戊寅, 丙 and 辛 with 庚寅, 丁 and 壬 with 壬寅, 戊 and 癸 with 甲寅. Days are counted from 2000-01-07, 甲子: what is
 * left over of the sixties is the day's place among them, from 0. Hours: 甲 and 己 days begin with 甲子, 乙 and 庚 with 丙子, 丙
 * and 辛 with 戊子, 丁 and 壬 with 庚子, 戊 and 癸 with 壬子.
 */
const charts: readonly Checked[] = [
  {
    of: 'the minute of 立春',
    birth: birthAt('2024-02-04 16:27', { place: beijing }),
    because:
      '立春 was at 16:27 and some seconds, so that 16:27:00 is still the year 癸卯 (2023) and its last month, 乙丑. Day 8,794 leaves 34: 戊戌; its 申 hour is 庚申.',
    pillars: '癸卯 乙丑 戊戌 庚申',
    warnings: [['near-term', { year: '甲辰', month: '丙寅' }]],
  },
  {
    of: 'half past eleven at night',
    birth: birthAt('1988-02-15 23:30', { place: shanghai }),
    because:
      'Day −4,344 leaves 36, 庚子, which gives way to 辛丑 at 23:00, or at midnight. The 子 hour is that of 辛, which begins with 戊子, for both schools.',
    pillars: '戊辰 甲寅 辛丑 戊子',
    warnings: [['near-day', { day: '庚子' }]],
  },
  {
    of: 'China’s summer time of 1988',
    birth: birthAt('1988-07-01 15:30', { place: shanghai }),
    because:
      'From 17 April to 11 September the clocks were an hour forward: 14:30 by standard time. Day −4,207 leaves 53: 丁巳; its 未 hour is 丁未, and its 申 hour 戊申.',
    pillars: '戊辰 戊午 丁巳 丁未',
    warnings: [['dst', { hour: '戊申' }]],
  },
  {
    of: 'Ürümqi, which goes by two clocks',
    birth: birthAt('1995-03-20 09:10', { place: urumqi }),
    because:
      'Day −1,754 leaves 46: 庚戌. By Beijing’s clock 09:10 is 巳; had the local one said so, standard time there is 09:10 as well, and no 节 is near. The sun is 129.6 + 7.7 minutes behind Beijing’s clock, 06:53: 卯.',
    pillars: '乙亥 己卯 庚戌 辛巳',
    warnings: [['local-clock'], ['true-solar-time', { hour: '己卯' }]],
  },
  {
    of: 'New York on the day of 立春',
    birth: birthAt('1984-02-04 10:30', { place: newYork }),
    because:
      '立春 was at 23:18 in Beijing, 10:18 in New York, twelve minutes before: the year is 甲子. The same clock in Beijing would still have been 癸亥. Day −5,816 leaves 4: 戊辰; 巳 is 丁巳.',
    pillars: '甲子 丙寅 戊辰 丁巳',
    warnings: [],
  },
  {
    of: 'a leap lunar month, two minutes before an hour ends',
    birth: birthAt('2023-02-15 12:58', { lunar: true, leap: true, place: beijing }),
    because:
      'The second 二月 of 2023 began on 22 March: its 15th is 5 April. 清明 was that morning at 09:13, and the month is already 丙辰. Day 8,489 leaves 29: 癸巳; 12:58 is 午, 戊午, and 未 is two minutes away.',
    pillars: '癸卯 丙辰 癸巳 戊午',
    warnings: [['near-hour', { hour: '己未' }]],
  },
  {
    of: 'an unknown hour on the day of a term',
    birth: birthAt('2000-02-04', { place: beijing, gender: 'female' }),
    because:
      '立春 was at 20:40: 己卯 and 丁丑 for most of the day, 庚辰 and 戊寅 for its end. Day 28 is 壬辰; after 23:00 it is 癸巳.',
    pillars: '己卯 丁丑 壬辰',
    warnings: [
      ['unknown-hour', { day: '癸巳' }],
      ['near-term', { year: '庚辰', month: '戊寅' }],
    ],
  },
  {
    of: 'Shanghai in the summer of 1941',
    birth: birthAt('1941-07-10 05:20', { place: shanghai }),
    because:
      'The clocks were an hour forward all summer: 04:20 is 寅. Day −21,365 leaves 55: 己未; its 寅 hour is 丙寅, 卯 is 丁卯. 小暑 was three days before: the sixth month of a 辛 year is 乙未.',
    pillars: '辛巳 乙未 己未 丙寅',
    warnings: [['dst', { hour: '丁卯' }]],
  },
  {
    of: 'Kashgar by the sun',
    birth: birthAt('1992-11-08 15:10', { place: kashgar, options: { trueSolarTime: true } }),
    because:
      '75.99° is 44.01° west of the clock’s meridian, 176 minutes; the sun is 16 minutes fast in November: 12:30, 午. By the local clock it would be two hours later, 未, by Beijing’s alone 申. Day −2,616 leaves 24: 戊子. 立冬 was the day before: the tenth month of a 壬 year is 辛亥.',
    pillars: '壬申 辛亥 戊子 戊午',
    warnings: [
      ['local-clock', { hour: '己未' }],
      ['true-solar-time', { hour: '庚申' }],
    ],
  },
  {
    of: 'a summer night in Hong Kong, before 立秋',
    birth: birthAt('1965-08-08 00:40', { place: hongKong }),
    because:
      'Summer time: it is 23:40 on the 7th, the 子 hour of the 8th. Day −12,570 leaves 30: 甲午. 立秋 was at 02:04 on the 8th by standard time: the month is still 癸未.',
    pillars: '乙巳 癸未 甲午 甲子',
    warnings: [['dst'], ['near-day', { day: '癸巳' }]],
  },
]

describe('a chart checked by hand', () => {
  it.each(charts.map((chart) => [chart.of, chart] as const))(
    'of %s',
    (_of, { birth, because, pillars, warnings }) => {
      const chart = chartOf(birth)

      expect(inARow(chart), because).toBe(pillars)
      expect(
        chart.warnings.map(({ code, alternative }) => (alternative ? [code, alternative.pillars] : [code])),
      ).toEqual(warnings)
    },
  )
})
