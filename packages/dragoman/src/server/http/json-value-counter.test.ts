import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { createJsonValueCounter } from './json-value-counter.ts'

const utf8 = new TextEncoder()

/** Counts a text in pieces of this many bytes. */
function count(json: string, size = Infinity): void {
  const bytes = utf8.encode(json)
  const take = createJsonValueCounter()
  for (let at = 0; at < bytes.length; at += size) take(bytes.subarray(at, at + size))
}

const deep = (levels: number, inner = '1'): string => '['.repeat(levels) + inner + ']'.repeat(levels)
const TOO_MANY = 'The body may hold at most 50,000 values'
const TOO_DEEP = 'The body is nested deeper than 200 levels'

describe('the counter of JSON values', () => {
  it.each([1, 2, 3, 7, 1000, Infinity])('limits values and nesting in pieces of %s bytes', (size) => {
    const names = JSON.stringify(Array.from({ length: 300 }, () => 'a"b\\,[{\\"'))
    expect(() => count(`[${names},${deep(199)}]`, size)).not.toThrow()
    expect(() => count(`[${names},${deep(200)}]`, size)).toThrow(TOO_DEEP)
    expect(() => count(JSON.stringify(Array(49_999).fill(1)), size)).not.toThrow()
    expect(() => count(JSON.stringify(Array(50_001).fill(1)), size)).toThrow(TOO_MANY)
    expect(() =>
      count(JSON.stringify({ messages: Array.from({ length: 25_001 }, () => ({})) }), size),
    ).toThrow(TOO_MANY)
  })

  it.each([1, 7, 1000, Infinity])('limits the keys of one object in pieces of %s bytes', (size) => {
    const keys = (length: number): string =>
      JSON.stringify(Object.fromEntries(Array.from({ length }, (_, index) => [`k${index}`, [1, 2]])))
    expect(() => count(`[${keys(5000)},${keys(5000)}]`, size)).not.toThrow()
    expect(() => count(`{"a":[{"b":${keys(5001)}}]}`, size)).toThrow('at most 5000 keys')
    expect(() => count(JSON.stringify({ a: Array(40_000).fill(1), b: 1 }), size)).not.toThrow()
  })

  it('ignores strings, wherever a piece ends', () => {
    const signs = fc.string({ unit: fc.constantFrom('"', '\\', '[', '{', ',', 'é') })
    fc.assert(
      fc.property(fc.array(signs, { maxLength: 20 }), fc.integer({ min: 1, max: 9 }), (texts, size) => {
        expect(() => count(deep(199, JSON.stringify(texts)), size)).not.toThrow()
        expect(() => count(deep(200, JSON.stringify(texts)), size)).toThrow(TOO_DEEP)
      }),
    )
  })
})
