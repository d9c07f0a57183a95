import { describe, expect, it } from 'vitest'

import { birthAt } from './birth.fixture.ts'
import { chartOf } from './chart-of.ts'
import { starsOf } from './stars.ts'
import type { Branch, Chart, Pillar, Stem } from './chart.ts'

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
  it.each([
    ['天乙贵人', '戊丑 戊寅 甲寅 戊未', ['year', 'hour']],
    ['天乙贵人', '戊寅 戊寅 辛巳 戊午', ['year', 'month', 'hour']],
    ['文昌', '戊子 戊子 丙子 戊申', ['hour']],
    ['禄神', '戊子 戊子 癸亥 戊子', ['year', 'month', 'hour']],
    ['羊刃', '戊子 戊卯 甲子 戊子', ['month']],
    ['驿马', '戊子 戊寅 戊辰 戊戌', ['month']],
    ['桃花', '戊午 戊酉 戊子 戊卯', ['month', 'hour']],
    ['华盖', '戊子 戊辰 戊卯 戊未', ['month', 'hour']],
    ['将星', '戊子 戊卯 戊亥 戊子', ['month', 'hour']],
    ['红鸾', '戊午 戊酉 戊子 戊卯', ['month']],
    ['天喜', '戊午 戊酉 戊子 戊卯', ['hour']],
    ['天德贵人', '丁子 戊寅 戊子 戊子', ['year']],
    ['天德贵人', '戊子 戊卯 戊申 戊子', ['day']],
    ['月德贵人', '戊子 丙午 戊子 戊子', ['month']],
  ] as const)('%s stands in %s where its verse says', (name, row, of) => {
    expect(starsOf(chart(row)).find((star) => star.name === name)?.of).toEqual(of)
  })

  it('羊刃 is not told of a yin day master', () => {
    expect(starsOf(chart('戊子 戊辰 乙子 戊寅')).map(({ name }) => name)).not.toContain('羊刃')
  })
})
