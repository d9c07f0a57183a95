import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { beijing, birthAt, hongKong, inARow, kashgar, london, newYork } from './birth.fixture.ts'
import { chartOf } from './chart-of.ts'
import { branches, elements, stems, type StemBranch } from './chart.ts'
import { asWall } from './calendar.ts'
import { offsetAt } from './zone-offset.ts'

const walls = fc
  .integer({ min: Date.UTC(1901, 0, 2) / 60_000, max: Date.UTC(2100, 11, 30) / 60_000 })
  .map((minutes) => minutes * 60_000)
const places = fc.constantFrom(undefined, beijing, kashgar, hongKong, newYork, london)
const births = fc
  .record({
    wall: walls,
    place: places,
    gender: fc.constantFrom('male' as const, 'female' as const),
    known: fc.boolean(),
    options: fc.record({
      dayBoundary: fc.constantFrom('23:00' as const, '00:00' as const),
      trueSolarTime: fc.boolean(),
      applyDst: fc.boolean(),
    }),
  })
  .map(({ wall, place, gender, known, options }) =>
    birthAt(asWall(wall, known ? 'minute' : 'day').replace('T', ' '), {
      gender,
      options,
      ...(place && { place }),
    }),
  )

const stemIndex = ({ stem }: StemBranch): number => stems.indexOf(stem)
const branchIndex = ({ branch }: StemBranch): number => branches.indexOf(branch)

/** 五虎遁: the stem of the first month for the stem of each year, 甲 to 癸. 五鼠遁: that of the first hour for each day. */
const FIRST_MONTH = '丙戊庚壬甲丙戊庚壬甲'
const FIRST_HOUR = '甲丙戊庚壬甲丙戊庚壬'
const stemAfter = (first: string | undefined, steps: number): string | undefined =>
  stems[(stems.findIndex((stem) => stem === first) + steps) % 10]

describe('every chart', () => {
  it('takes the stem of the month from the year’s', () => {
    fc.assert(
      fc.property(births, (birth) => {
        const { year, month } = chartOf(birth).pillars
        const months = (branchIndex(month) - branches.indexOf('寅') + 12) % 12
        expect(month.stem).toBe(stemAfter(FIRST_MONTH[stemIndex(year)], months))
      }),
    )
  })

  it('takes the stem of the hour from that of the day which the 子 hour begins', () => {
    fc.assert(
      fc.property(births, (birth) => {
        const { clock, pillars } = chartOf(birth)
        const { day, hour } = pillars
        if (!hour) return
        const late = birth.options.dayBoundary === '00:00' && clock.used.slice(11) >= '23:00'
        const first = FIRST_HOUR[(stemIndex(day) + (late ? 1 : 0)) % 10]
        expect(hour.stem).toBe(stemAfter(first, branchIndex(hour)))
      }),
    )
  })

  it('weighs the elements to a hundred, and counts two a pillar', () => {
    fc.assert(
      fc.property(births, (birth) => {
        const { elements: balance, pillars } = chartOf(birth)
        const sum = (of: Readonly<Record<string, number>>): number =>
          elements.reduce((total, element) => total + (of[element] ?? 0), 0)
        expect(sum(balance.weights)).toBe(100)
        expect(sum(balance.counts)).toBe(pillars.hour ? 8 : 6)
        expect(new Set(Object.values(balance.season)).size).toBe(5)
      }),
    )
  })

  it('has luck cycles that follow one another through the sixty, from the month on', () => {
    fc.assert(
      fc.property(births, (birth) => {
        const { luck, pillars } = chartOf(birth)
        const step = luck.forward ? 1 : -1
        for (const [index, cycle] of luck.cycles.entries()) {
          expect((stemIndex(pillars.month) + step * (index + 1) + 60) % 10).toBe(stemIndex(cycle))
          expect((branchIndex(pillars.month) + step * (index + 1) + 60) % 12).toBe(branchIndex(cycle))
          expect(cycle.endYear - cycle.startYear).toBe(9)
          const next = luck.cycles[index + 1]
          if (next) expect([next.startAge, next.startYear]).toEqual([cycle.endAge + 1, cycle.endYear + 1])
        }
        expect(luck.forward).toBe((pillars.year.polarity === '阳') === (birth.gender === 'male'))
      }),
    )
  })

  it('lies between its terms, and is the same again', () => {
    fc.assert(
      fc.property(births, (birth) => {
        const chart = chartOf(birth)
        expect(chart.terms.before.at <= chart.clock.instant).toBe(true)
        expect(chart.clock.instant < chart.terms.after.at).toBe(true)
        expect(chartOf(birth)).toEqual(chart)
      }),
    )
  })

  it('has in every alternative only pillars that differ, and says them in both languages', () => {
    fc.assert(
      fc.property(births, (birth) => {
        const { pillars, warnings } = chartOf(birth)
        for (const { alternative, words } of warnings) {
          for (const [at, name] of Object.entries(alternative?.pillars ?? {})) {
            expect(pillars[at as keyof typeof pillars]?.name).not.toBe(name)
            expect(words.zh).toContain(name)
            expect(words.en).toContain(name)
          }
        }
      }),
    )
  })
})

describe('one instant', () => {
  it('has one year and one month pillar, whatever the clock that told it', () => {
    fc.assert(
      fc.property(walls, fc.constantFrom(beijing, hongKong, newYork, london), (instant, place) => {
        const there = asWall(instant + offsetAt(place.zone, instant) * 60_000).replace('T', ' ')
        const here = asWall(instant + 8 * 3_600_000).replace('T', ' ')
        const away = chartOf(birthAt(there, { place }))
        // The second time of a repeated hour is another instant, and a clock that went by the sun had seconds that
        // nobody tells.
        fc.pre(Date.parse(away.clock.instant) === instant)
        const [year, month] = inARow(away).split(' ')
        expect([year, month]).toEqual(
          inARow(chartOf(birthAt(here)))
            .split(' ')
            .slice(0, 2),
        )
      }),
    )
  })
})
