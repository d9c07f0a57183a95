import { describe, expect, it } from 'vitest'

import { birthAt } from './birth.fixture.ts'
import { chartOf } from './chart-of.ts'
import { findSymbolicStars } from './symbolic-stars.ts'
import type { Branch, Chart, Pillar, Stem } from './chart.ts'
import cases from '../../test/data/charts.json' with { type: 'json' }

const { day: anyPillar } = chartOf(birthAt('1990-05-15 14:30')).pillars

function chart(row: string): Chart['pillars'] {
  const [year, month, day, hour] = row.split(' ').map((name): Pillar => {
    const [stem, branch] = name.split('')
    return Object.assign({}, anyPillar, { name, stem: stem as Stem, branch: branch as Branch })
  })
  if (!year || !month || !day || !hour) throw new Error('It takes four pillars.')
  return { year, month, day, hour }
}

describe('a star', () => {
  it.each(cases.stars)('finds $name in $pillars', ({ name, pillars, of }) => {
    expect(findSymbolicStars(chart(pillars)).find((star) => star.name === name)?.of).toEqual(of)
  })

  it('羊刃 does not exist for a yin day master', () => {
    expect(findSymbolicStars(chart('戊子 戊辰 乙子 戊寅')).map(({ name }) => name)).not.toContain('羊刃')
  })
})
