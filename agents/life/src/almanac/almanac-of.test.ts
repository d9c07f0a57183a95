import { assert, integer, pre, property } from 'fast-check'
import { Solar } from 'lunar-typescript'
import { describe, expect, it } from 'vitest'

import { almanacOf } from './almanac-of.ts'
import { addDays, formatDate } from './civil-date.ts'

const firstDay = { year: 1900, month: 1, day: 1 }
/** To the end of 2100. */
const DAYS = 73_413
/**
 * Five terms fell within minutes of midnight. tyme4ts has the day on which the calendars of that time print them,
 * lunar-typescript the day of the instant that is reckoned today; on no other day of the two centuries do the two
 * differ in more than words.
 */
const PRINTED_OTHERWISE = new Set([
  '1912-11-22',
  '1912-11-23',
  '1913-09-23',
  '1913-09-24',
  '1917-12-07',
  '1917-12-08',
  '1927-09-08',
  '1927-09-09',
  '1928-06-21',
  '1928-06-22',
])
/** What lunar-typescript writes where there is nothing. */
const listed = (names: readonly string[]): readonly string[] => names.filter((name) => name !== '无')

describe('the almanac of a day', () => {
  it('says all that both libraries’ own almanacs say of 2026-01-21', () => {
    expect(almanacOf({ year: 2026, month: 1, day: 21 })).toEqual({
      date: '2026-01-21',
      lunar: '乙巳年腊月初三',
      lunarDate: { month: 12, leap: false, day: 3 },
      pillars: {
        year: { name: '乙巳', stem: '乙', branch: '巳' },
        month: { name: '己丑', stem: '己', branch: '丑' },
        day: { name: '乙未', stem: '乙', branch: '未' },
      },
      good: ['祭祀', '破屋', '坏垣', '解除', '馀事勿取'],
      avoid: ['开市', '动土', '破土'],
      term: { name: '大寒', startsToday: false },
      nextTerm: { name: '立春', at: '2026-02-03T20:02:08Z', date: '2026-02-04' },
      clash: { animal: '牛', branch: '丑', direction: '西' },
      wealthDirection: '东北',
      duty: '破',
      mansion: '壁',
      bright: false,
      festivals: [],
    })
  })

  it.each([
    ['2026-02-16', ['除夕']],
    ['2026-02-17', ['春节']],
    ['2026-10-01', ['国庆节']],
    // Two on one day: a term's, and one that the lunar or the other calendar has.
    ['2041-04-04', ['清明节']],
    ['1995-04-05', ['清明节']],
    ['2049-04-04', ['上巳节', '清明节']],
    ['2020-10-01', ['中秋节', '国庆节']],
    ['2025-07-25', []],
  ])('names the festivals of %s: %j', (date, festivals) => {
    const [year = 0, month = 0, day = 0] = date.split('-').map(Number)

    expect(almanacOf({ year, month, day }).festivals).toEqual(festivals)
  })

  it('names a leap month', () => {
    expect(almanacOf({ year: 2025, month: 7, day: 25 })).toMatchObject({
      lunar: '乙巳年闰六月初一',
      lunarDate: { month: 6, leap: true, day: 1 },
    })
  })

  it('has terms on the days on which the calendars of their time print them', () => {
    expect(almanacOf({ year: 1917, month: 12, day: 7 })).toMatchObject({
      term: { name: '大雪', startsToday: true },
      pillars: { month: { name: '壬子' } },
    })
  })

  it('begins the lunar year at new year, and that of the pillars at 立春', () => {
    expect(almanacOf({ year: 2026, month: 2, day: 10 })).toMatchObject({
      lunar: '乙巳年腊月廿三',
      pillars: { year: { name: '丙午' } },
    })
  })

  it('is refused for years that it was not held against another’s', () => {
    expect(() => almanacOf({ year: 2101, month: 1, day: 1 })).toThrow(
      'The almanac goes from 1900 to 2100; 2101 lies outside.',
    )
  })

  it('agrees with the almanac of lunar-typescript', () => {
    assert(
      property(integer({ min: 0, max: DAYS }), (days) => {
        const date = addDays(firstDay, days)
        pre(!PRINTED_OTHERWISE.has(formatDate(date)))
        const ours = almanacOf(date)
        const lunar = Solar.fromYmd(date.year, date.month, date.day).getLunar()

        expect({
          pillars: Object.values(ours.pillars).map(({ name }) => name),
          lunar: ours.lunar,
          good: ours.good,
          avoid: ours.avoid,
          term: ours.term.startsToday ? ours.term.name : '',
          clash: [ours.clash.branch, ours.clash.animal, ours.clash.direction],
          duty: ours.duty,
          mansion: ours.mansion,
          bright: ours.bright,
          wealth: ours.wealthDirection,
        }).toEqual({
          pillars: [lunar.getYearInGanZhiByLiChun(), lunar.getMonthInGanZhi(), lunar.getDayInGanZhi()],
          lunar: `${lunar.getYearInGanZhi()}年${lunar.getMonthInChinese()}月${lunar.getDayInChinese()}`,
          good: listed(lunar.getDayYi()),
          avoid: listed(lunar.getDayJi()),
          term: lunar.getJieQi(),
          clash: [lunar.getDayChong(), lunar.getDayChongShengXiao(), lunar.getDaySha()],
          duty: lunar.getZhiXing(),
          mansion: lunar.getXiu(),
          bright: lunar.getDayTianShenType() === '黄道',
          // It says 正北 where we say 北.
          wealth: lunar.getDayPositionCaiDesc().replace('正', ''),
        })
        expect(ours.date).toBe(formatDate(date))
      }),
      { numRuns: 1000 },
    )
  })
})
