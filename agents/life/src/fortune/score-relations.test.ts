import { describe, expect, it } from 'vitest'

import { scoreRelations } from './score-relations.ts'

describe('what relations add to a year', () => {
  it('is as much for three that are whole as for the pairs that they hide', () => {
    // 申 comes to 子 and 辰, or to 子 twice; to 寅 and 巳, or to 寅 twice.
    const pairs = (kind: string) => [
      { kind, of: ['year'] as const },
      { kind, of: ['month'] as const },
    ]

    expect(scoreRelations([{ kind: '三合', of: ['year', 'month'] }])).toBe(scoreRelations(pairs('半合')))
    expect(scoreRelations([{ kind: '相刑', of: ['year', 'month'] }])).toBe(scoreRelations(pairs('相刑')))
  })

  it('is double with the day pillar, and no more than 15 either way', () => {
    expect(scoreRelations([{ kind: '六冲', of: ['day'] }])).toBe(
      2 * scoreRelations([{ kind: '六冲', of: ['hour'] }]),
    )
    expect(scoreRelations(Array.from({ length: 9 }, () => ({ kind: '三会', of: ['day', 'hour'] })))).toBe(15)
    expect(scoreRelations(Array.from({ length: 9 }, () => ({ kind: '六冲', of: ['day'] })))).toBe(-15)
  })
})
