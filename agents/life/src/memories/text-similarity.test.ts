import { assert, property, string } from 'fast-check'
import { describe, expect, it } from 'vitest'

import { isSameText, textFeatures } from './text-similarity.ts'
import cases from '../../test/data/memories.json' with { type: 'json' }

const same = (one: string, other: string): boolean => isSameText(textFeatures(one), textFeatures(other))

describe('two memories', () => {
  it.each(cases.same)('“%s” and “%s” are one', (one, other) => {
    expect(same(one, other)).toBe(true)
    expect(same(other, one)).toBe(true)
  })

  it.each(cases.different)('“%s” and “%s” are two', (one, other) => {
    expect(same(one, other)).toBe(false)
    expect(same(other, one)).toBe(false)
  })

  it('are one where they are equal, whichever comes first', () => {
    const text = string({ unit: 'binary', maxLength: 80 })
    assert(
      property(text, text, (one, other) => {
        expect(same(one, one)).toBe(true)
        expect(same(one, other)).toBe(same(other, one))
      }),
    )
  })
})
