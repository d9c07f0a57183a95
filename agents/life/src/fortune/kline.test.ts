import { assert, integer, property, tuple } from 'fast-check'
import { describe, expect, it } from 'vitest'

import { birthAt } from '../chart/birth.fixture.ts'
import { chartOf } from '../chart/chart-of.ts'
import { elements, type Chart, type Element } from '../chart/chart.ts'
import { births, knownBirth } from './fortune.fixture.ts'
import { klineOf } from './kline.ts'

const chart = chartOf(knownBirth)
const ranges = tuple(integer({ min: 1900, max: 2100 }), integer({ min: 0, max: 50 })).map(([from, more]) => ({
  from,
  to: from + more,
}))

/** The same chart with elements weighed otherwise. */
function weighed(supportPercent: number, weights: Readonly<Record<Element, number>>): Chart {
  const { strength } = chart.elements
  return { ...chart, elements: { ...chart.elements, weights, strength: { ...strength, supportPercent } } }
}
const even = Object.fromEntries(elements.map((element) => [element, 20])) as Record<Element, number>
const scores = (of: Chart, from: number, to: number): number[] =>
  klineOf(of, { from, to }).points.map(({ score }) => score)
/** How far neighbours are apart at most. */
const furthest = (line: readonly number[]): number =>
  Math.max(...line.slice(1).map((score, index) => Math.abs(score - (line[index] ?? score))))

describe('a line of years', () => {
  it('has a point for each year, with its age, pillar and luck cycle', () => {
    const { points } = klineOf(chart, { from: 1996, to: 1998 })

    expect(points.map(({ score: _score, ...point }) => point)).toEqual([
      { year: 1996, age: 6, pillar: '丙子' },
      { year: 1997, age: 7, pillar: '丁丑', luck: '壬午' },
      { year: 1998, age: 8, pillar: '戊寅', luck: '壬午' },
    ])
  })

  it('has whole scores from 0 to 100 that are the same each time, whatever the range', () => {
    assert(
      property(births, ranges, (birth, range) => {
        const born = chartOf(birth)
        const { points, phases, inflections } = klineOf(born, range)

        expect(points).toHaveLength(range.to - range.from + 1)
        for (const { score } of [...points, ...phases, ...inflections]) {
          expect(Number.isInteger(score) && score >= 0 && score <= 100).toBe(true)
        }
        const [last] = klineOf(born, { from: range.to, to: range.to }).points
        expect(points.at(-1)).toEqual(last)
      }),
      { numRuns: 60 },
    )
  })

  it('is smooth: no year is further from the next than a third of all that scores may differ by', () => {
    assert(
      property(births, integer({ min: 1900, max: 2050 }), (birth, from) => {
        expect(furthest(scores(chartOf(birth), from, from + 99))).toBeLessThanOrEqual(32)
      }),
      { numRuns: 60 },
    )
  })

  // A 丙 of fire whose luck and years go from water to wood at once, and others like it.
  it.each([
    ['1947-05-17 11:30', 'female', 1947],
    ['1949-07-19 20:30', 'male', 1949],
    ['2029-10-23 07:30', 'male', 2029],
    ['2027-06-28 07:30', 'female', 2027],
  ] as const)('stays smooth where year and luck turn over at once: %s, %s', (text, gender, from) => {
    expect(furthest(scores(chartOf(birthAt(text, { gender })), from, from + 99))).toBeLessThanOrEqual(22)
  })

  it('goes by what the day master lacks: more of its own kind helps a weak one and not a strong one', () => {
    // The day master is metal: 2028 to 2030 are 戊申, 己酉 and 庚戌, earth and metal; 2045 to 2047 乙丑, 丙寅 and 丁卯.
    const weak = scores(weighed(20, even), 2029, 2029)[0] ?? 0
    const strong = scores(weighed(75, even), 2029, 2029)[0] ?? 0

    expect(weak).toBeGreaterThan(60)
    expect(strong).toBeLessThan(50)
    expect(scores(weighed(75, even), 2046, 2046)[0]).toBeGreaterThan(
      scores(weighed(20, even), 2046, 2046)[0] ?? 100,
    )
  })

  it('tells luck cycles as far as they lie in it, and where it turns', () => {
    const { points, phases, inflections } = klineOf(chart, { from: 1990, to: 2030 })

    expect(phases.map(({ pillar, startYear }) => [pillar, startYear])).toEqual([
      ['壬午', 1997],
      ['癸未', 2007],
      ['甲申', 2017],
      ['乙酉', 2027],
    ])
    expect(inflections.filter(({ kind }) => kind === 'cycle').map(({ year }) => year)).toEqual([
      1997, 2007, 2017, 2027,
    ])
    for (const { year, kind, score } of inflections.filter((each) => each.kind !== 'cycle')) {
      const near = points.filter((point) => Math.abs(point.year - year) <= 4).map((point) => point.score)
      expect(near).toHaveLength(9)
      expect(score).toBe(kind === 'peak' ? Math.max(...near) : Math.min(...near))
    }
  })

  it.each([
    [{ from: 1899, to: 1950 }, 'start_year: must be a whole number from 1900 to 2150.'],
    [{ from: 2000, to: 2151 }, 'end_year: must be a whole number'],
    [{ from: 2000, to: 1999 }, 'end_year: must not be before start_year.'],
    [{ from: 2000, to: 2100 }, 'end_year: at most 100 years are shown at once.'],
  ])('refuses %j', (range, sentence) => {
    expect(() => klineOf(chart, range)).toThrow(sentence)
  })
})
