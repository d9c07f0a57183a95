import { describe, expect, it } from 'vitest'

import { almanacOf } from '../almanac/almanac-of.ts'
import { birthAt } from '../chart/birth.fixture.ts'
import { basisOf } from './greeting-basis.ts'

describe('what a greeting rests on', () => {
  // 庚午 辛巳 庚辰: 子 clashes with 午, 戌 with 辰; 未 unites with 午, 酉 with 辰.
  it.each([
    ['2026-01-21', '乙未', 'union'],
    ['2026-01-23', '丁酉', 'union'],
    ['2026-01-24', '戊戌', 'clash'],
    ['2026-01-26', '庚子', 'clash'],
    ['2026-01-22', '丙申', undefined],
  ])('on %s, a day of %s: %s', (date, pillar, relation) => {
    const [year = 0, month = 0, day = 0] = date.split('-').map(Number)

    const basis = basisOf(almanacOf({ year, month, day }), birthAt('1990-05-15 14:30'))

    expect([basis.dayPillar, basis.relation]).toEqual([pillar, relation])
  })
})
