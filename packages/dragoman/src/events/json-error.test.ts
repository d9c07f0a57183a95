import { assert, json, nat, property } from 'fast-check'
import { describe, expect, it } from 'vitest'

import { jsonErrorOffset } from './json-error.ts'

describe('the position of a JSON error', () => {
  it.each([
    ['{"a": 1,}', 8],
    ['{"a" 1}', 5],
    ['[1 2]', 3],
    ['{a: 1}', 1],
    ['[1,]', 3],
    ['"a\nb', 0],
    ['{"a": tru}', 6],
    ['[1]]', 3],
    ['{"a": [1, {"b": }]}', 16],
    ['{"a": 1', 7],
    ['', 0],
  ])('in %j is %i', (text, offset) => {
    expect(jsonErrorOffset(text)).toBe(offset)
  })

  it('takes little time for a deeply nested text', () => {
    expect(jsonErrorOffset('['.repeat(1_000_000))).toBe(1_000_000)
    expect(jsonErrorOffset('{"a":'.repeat(200_000))).toBe(1_000_000)
  })

  it('is the end of a valid JSON prefix', () => {
    assert(
      property(json(), (text) => {
        expect(jsonErrorOffset(text)).toBe(text.length)
      }),
    )
  })

  it('is never after the first invalid character', () => {
    assert(
      property(json(), nat(), (text, place) => {
        const at = place % (text.length + 1)
        const broken = `${text.slice(0, at)}\u0007${text.slice(at)}`

        expect(jsonErrorOffset(broken)).toBeLessThanOrEqual(at)
      }),
    )
  })
})
