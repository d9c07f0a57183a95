import { describe, expect, it } from 'vitest'

import { wireFormats } from './wire-formats.ts'
import { chatPlan } from './plan.ts'
import { clusterPlan, killPlan } from './strike-plan.ts'

describe('a seed', () => {
  const drawn = (seed: number) => ({
    chats: Array.from({ length: 50 }, (_, at) => chatPlan(seed, at)),
    kills: Array.from({ length: 200 }, (_, at) => killPlan(seed, at, 2)),
    strikes: Array.from({ length: 500 }, (_, at) =>
      clusterPlan(seed, at, { nodes: 3, leftOut: new Set(['pooler killed']) }),
    ),
  })

  it('gives the same plan each time, and differs from other seeds', () => {
    expect(drawn(1)).toEqual(drawn(1))
    expect(drawn(1)).not.toEqual(drawn(2))
  })

  it('covers every kind of event', () => {
    const { strikes, ...others } = drawn(1)
    const all = JSON.stringify(others)

    for (const word of [
      'look',
      'write',
      'put',
      'deaf',
      'slow',
      'fail',
      'ask',
      'stopAfter',
      'enqueue',
      'interrupt',
    ])
      expect(all).toContain(`"${word}"`)
    for (const word of ['SIGKILL', 'SIGTERM', 'SIGSTOP', 'bootMs', ...Object.keys(wireFormats)])
      expect(all).toContain(`"${word}"`)
    expect(new Set(strikes.map(({ kind }) => kind)).size).toBe(17)
    expect(strikes.map(({ kind }) => kind)).not.toContain('pooler killed')
  })
})
