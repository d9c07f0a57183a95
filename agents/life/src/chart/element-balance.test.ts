import { describe, expect, it } from 'vitest'

import { birthAt } from './birth.fixture.ts'
import { chartOf } from './chart-of.ts'

describe('the balance of the elements', () => {
  it('is as its method says, added up by hand', () => {
    // 庚午 辛巳 庚辰 癸未. 木 0.3 + 0.1; 火 0.7 + 2 × 0.6 + 0.3; 土 0.3 + 2 × 0.1 + 0.6 + 0.6; 金 3 + 2 × 0.3; 水 1 + 0.1: nine in
    // all.
    const { elements } = chartOf(birthAt('1990-05-15 14:30'))

    expect(elements.weights).toEqual({ 木: 5, 火: 24, 土: 19, 金: 40, 水: 12 })
    expect(elements.counts).toEqual({ 木: 0, 火: 2, 土: 2, 金: 3, 水: 1 })
    expect(elements.missing).toEqual(['木'])
    expect(elements.season).toEqual({ 木: '休', 火: '旺', 土: '相', 金: '死', 水: '囚' })
    expect(elements.strength).toEqual({ label: 'strong', supportPercent: 59 })
  })

  it('knows the season of each month’s element', () => {
    const seasons = ['02', '03', '05', '08', '11'].map((month) =>
      Object.entries(chartOf(birthAt(`2001-${month}-20 12:00`)).elements.season)
        .map(([element, state]) => element + state)
        .join(' '),
    )

    expect(seasons).toEqual([
      '木旺 火相 土死 金囚 水休',
      '木旺 火相 土死 金囚 水休',
      '木休 火旺 土相 金死 水囚',
      '木死 火囚 土休 金旺 水相',
      '木相 火死 土囚 金休 水旺',
    ])
  })

  it('leaves out an hour that is not known', () => {
    const { elements, pillars } = chartOf(birthAt('1990-05-15'))

    expect(pillars.hour).toBeUndefined()
    expect(elements.counts).toEqual({ 木: 0, 火: 2, 土: 1, 金: 3, 水: 0 })
  })
})
