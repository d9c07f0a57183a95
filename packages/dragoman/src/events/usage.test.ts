import { describe, expect, it } from 'vitest'

import { addUsage, readTokens, readUsage } from './index.ts'

describe('readUsage', () => {
  it.each<[unknown, number | undefined]>([
    [7, 7],
    [0, 0],
    [1.5, 2],
    [0.4, 0],
    [-0.4, 0],
    [-1, 0],
    [-1e9, 0],
    [10_000_000, 10_000_000],
    [10_000_001, 10_000_000],
    [1e19, 10_000_000],
    [1e300, 10_000_000],
    [Infinity, 10_000_000],
    [-Infinity, 0],
    [NaN, undefined],
    ['7', undefined],
    [null, undefined],
    [undefined, undefined],
    [{}, undefined],
    [true, undefined],
  ])('reads the count %j as %j', (value, count) => {
    expect(readTokens(value)).toBe(count)
  })

  it('reads every field, and counts 0 for what is not a number', () => {
    const reported = { inputTokens: 1.4, outputTokens: '9', reasoningTokens: -3, cachedInputTokens: 1e19 }

    expect(readUsage(reported)).toEqual({
      inputTokens: 1,
      outputTokens: 0,
      cachedInputTokens: 10_000_000,
    })
  })

  it('keeps a reported zero of cached tokens', () => {
    const usage = { inputTokens: 1, outputTokens: 0, cachedInputTokens: 0 }

    expect(addUsage(readUsage(usage), { inputTokens: 1, outputTokens: 0 })).toEqual({
      ...usage,
      inputTokens: 2,
    })
  })
})
