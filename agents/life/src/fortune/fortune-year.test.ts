import { assert, integer, property } from 'fast-check'
import { Solar } from 'lunar-typescript'
import { describe, expect, it } from 'vitest'

import { chartOf } from '../chart/chart-of.ts'
import { births, knownBirth } from './fortune.fixture.ts'
import { areas, godThemes } from './fortune-texts.ts'
import { fortuneMonths, fortuneYear } from './fortune-year.ts'

const chart = chartOf(knownBirth)
const years = integer({ min: 1900, max: 2100 })
const DAY = 86_400_000

/** The pillars that the other library gives a day at noon. */
function pillarsAt(instant: string): { year: string; month: string } {
  const noon = new Date(Date.parse(instant) + DAY)
  const eight = Solar.fromYmdHms(noon.getUTCFullYear(), noon.getUTCMonth() + 1, noon.getUTCDate(), 12, 0, 0)
    .getLunar()
    .getEightChar()
  return { year: eight.getYear(), month: eight.getMonth() }
}

describe('a year beside a chart', () => {
  it('is that of the almanac, from one 立春 to the next', () => {
    const { year, age, pillar, begins, ends } = fortuneYear(chart, 2026)

    expect({ year, age, begins, ends }).toEqual({
      year: 2026,
      age: 36,
      begins: { term: '立春', at: '2026-02-03T20:02:08.000Z' },
      ends: '2027-02-04T01:46:18.000Z',
    })
    expect(pillar).toMatchObject({ name: '丙午', tenGod: '七杀', branchTenGod: '正官' })
  })

  it('stands in relations to the chart, and to its luck cycle', () => {
    const { relations, luck, withLuck } = fortuneYear(chart, 2024)

    expect(luck).toMatchObject({ name: '甲申', startYear: 2017, endYear: 2026 })
    expect(relations.map(({ kind, of }) => [kind, of])).toContainEqual(['自刑', ['day']])
    expect(withLuck.map(({ kind, names, element }) => ({ kind, names, element }))).toEqual([])
    expect(fortuneYear(chart, 2020).withLuck).toEqual([
      { kind: '天干相冲', of: [], names: ['庚', '甲'] },
      { kind: '半合', of: [], names: ['子', '申'], element: '水' },
    ])
  })

  it('names the day on which a luck cycle begins, once in ten years', () => {
    const changes = Array.from(
      { length: 40 },
      (_, index) => fortuneYear(chart, 1990 + index).luckChange,
    ).filter((change) => change !== undefined)

    expect(changes).toEqual([
      { date: '1997-08-05', to: '壬午' },
      { date: '2007-08-05', from: '壬午', to: '癸未' },
      { date: '2017-08-05', from: '癸未', to: '甲申' },
      { date: '2027-08-05', from: '甲申', to: '乙酉' },
    ])
  })

  it('has no luck cycle before the first', () => {
    expect(fortuneYear(chart, 1996).luck).toBeUndefined()
    expect(fortuneYear(chart, 1997).luck?.name).toBe('壬午')
  })

  it('has a theme for each area, in both languages, with the relation that touches it', () => {
    const { themes } = fortuneYear(chart, 2016)

    expect(Object.keys(themes).toSorted()).toEqual(areas.toSorted())
    expect(themes.career.by).toBe('七杀')
    expect(themes.career.words.zh).toContain('流年与月柱天干五合')
    expect(themes.career.words.en).toContain('The year meets your month pillar (stem union)')
  })

  it.each([1899, 2151, 2026.5, Number.NaN])('is none for %s', (year) => {
    expect(() => fortuneYear(chart, year)).toThrow('year: must be a whole number from 1900 to 2150.')
    expect(() => fortuneMonths(chart, year)).toThrow('year: must be')
  })

  it('is the same each time, and in pillar and ten gods again after sixty years', () => {
    assert(
      property(births, integer({ min: 1900, max: 2040 }), (birth, year) => {
        const born = chartOf(birth)
        const found = fortuneYear(born, year)
        const later = fortuneYear(born, year + 60)

        expect(fortuneYear(born, year)).toEqual(found)
        expect(later.pillar).toEqual(found.pillar)
        expect(later.relations).toEqual(found.relations)
      }),
      { numRuns: 40 },
    )
  })
})

describe('the months of a year', () => {
  it('are twelve that follow one another from 立春, each with the pillar that another library gives', () => {
    assert(
      property(years, (year) => {
        const months = fortuneMonths(chart, year)
        const { begins, ends, pillar } = fortuneYear(chart, year)

        expect(months.map(({ month }) => month)).toEqual(Array.from({ length: 12 }, (_, index) => index + 1))
        expect(months[0]?.begins).toEqual(begins)
        expect(months.at(-1)?.ends).toBe(ends)
        for (const [index, month] of months.entries()) {
          expect(month.ends).toBe(months[index + 1]?.begins.at ?? ends)
          expect(pillarsAt(month.begins.at)).toEqual({ year: pillar.name, month: month.pillar.name })
        }
      }),
      { numRuns: 60 },
    )
  })

  it('begin at the twelve 节, and are 29 to 32 days long', () => {
    const months = fortuneMonths(chart, 2026)
    const days = months.map(({ begins, ends }) => (Date.parse(ends) - Date.parse(begins.at)) / DAY)

    expect(months.map(({ begins }) => begins.term).join(' ')).toBe(
      '立春 惊蛰 清明 立夏 芒种 小暑 立秋 白露 寒露 立冬 大雪 小寒',
    )
    expect(Math.min(...days)).toBeGreaterThan(29)
    expect(Math.max(...days)).toBeLessThan(32)
  })
})

describe('what is said of a year', () => {
  const forbidden =
    /注定|命中|灾|祸|病|死|离婚|必须|一定会|倒霉|\b(?:fate|destined|doom|must|illness|disease|divorce|death|will happen)\b/i

  it('predicts no event, frightens nobody, orders nothing', () => {
    assert(
      property(births, years, (birth, year) => {
        const { pillar, themes } = fortuneYear(chartOf(birth), year)
        const texts = [godThemes[pillar.tenGod], ...areas.map((area) => themes[area].words)]

        for (const { zh, en } of texts) {
          expect(`${zh} ${en}`).not.toMatch(forbidden)
          expect(en).not.toBe('')
        }
      }),
      { numRuns: 100 },
    )
  })
})
