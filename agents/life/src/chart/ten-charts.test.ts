import { describe, expect, it } from 'vitest'

import cases from '../../test/data/charts.json' with { type: 'json' }
import { birthAt, inARow, placesByName } from './birth.fixture.ts'
import { chartOf } from './chart-of.ts'

/**
 * Ten charts that can be computed again on paper. `because` says how; the failing test shows it. Years: 1984 is 甲子, and
 * the sixty run from there. Months: 甲 and 己 years begin with 丙寅, 乙 and 庚 with 戊寅, 丙 and 辛 with 庚寅, 丁 and 壬 with 壬寅,
 * 戊 and 癸 with 甲寅. Days are counted from 2000-01-07, 甲子: the remainder of the division by sixty is the place of the day
 * among the sixty, from 0. Hours: 甲 and 己 days begin with 甲子, 乙 and 庚 with 丙子, 丙 and 辛 with 戊子, 丁 and 壬 with 庚子,
 * 戊 and 癸 with 壬子.
 */
describe('a chart computed by hand', () => {
  it.each(cases.byHand)(
    'matches for $of',
    ({ birth: { at, place, ...birth }, because, pillars, warnings }) => {
      const chart = chartOf(birthAt(at, { ...birth, place: placesByName[place] }))

      expect(inARow(chart), because).toBe(pillars)
      expect(
        chart.warnings.map(({ code, alternative }) => (alternative ? [code, alternative.pillars] : [code])),
      ).toEqual(warnings)
    },
  )
})
