import { assert, property } from 'fast-check'
import { describe, expect, it } from 'vitest'

import { chartOf } from '../chart/chart-of.ts'
import { births, knownBirth } from './fortune.fixture.ts'
import { chartPair, type Pair } from './chart-pair.ts'

const mine = chartOf(knownBirth)

/** A relation by its signs and where they stand, whichever side is named first. */
function sides({ relations }: Pair, turned: boolean): string[] {
  return relations
    .map(({ kind, mine: own, theirs, names }) => {
      const [first, second] = turned ? [theirs, own] : [own, theirs]
      return [kind, first.join('+'), second.join('+'), names.toSorted().join('')].join(' ')
    })
    .toSorted()
}

describe('two charts', () => {
  it('meet in their pillars, and bring one another elements', () => {
    // 癸亥 甲寅 甲戌 甲戌, of the table of known charts, beside 庚午 辛巳 庚辰 癸未.
    const theirs = chartOf({
      ...knownBirth,
      date: { calendar: 'solar', year: 1983, month: 2, day: 15 },
      time: { hour: 20, minute: 0 },
      gender: 'female',
    })
    const { relations, tenGods, brought } = chartPair(mine, theirs)

    expect(relations).toContainEqual({ kind: '六冲', names: ['辰', '戌'], mine: ['day'], theirs: ['day'] })
    expect(relations).toContainEqual({ kind: '六冲', names: ['巳', '亥'], mine: ['month'], theirs: ['year'] })
    expect(relations).toContainEqual({
      kind: '三合',
      names: ['寅', '午', '戌'],
      mine: ['year'],
      theirs: ['month', 'day', 'hour'],
      element: '火',
    })
    expect(tenGods).toEqual({ theirsToMine: '偏财', mineToTheirs: '七杀' })
    expect(brought).toEqual({ toMine: ['木'], toTheirs: ['金'] })
  })

  it('say the same, whichever is named first', () => {
    assert(
      property(births, births, (one, other) => {
        const [a, b] = [chartOf(one), chartOf(other)]
        const [there, back] = [chartPair(a, b), chartPair(b, a)]

        expect(sides(back, true)).toEqual(sides(there, false))
        expect(back.brought).toEqual({ toMine: there.brought.toTheirs, toTheirs: there.brought.toMine })
        expect(back.tenGods.theirsToMine).toBe(there.tenGods.mineToTheirs)
      }),
      { numRuns: 100 },
    )
  })

  it('have no relation of one chart alone', () => {
    assert(
      property(births, births, (one, other) => {
        const pair = chartPair(chartOf(one), chartOf(other))

        for (const { mine: own, theirs } of pair.relations) {
          expect(own.length * theirs.length).toBeGreaterThan(0)
        }
      }),
      { numRuns: 50 },
    )
  })
})
