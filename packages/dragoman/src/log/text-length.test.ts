import { expect, it } from 'vitest'

import { hasLongTexts } from './text-length.ts'

it.each([
  ['', false],
  [{ a: ['x'.repeat(5), { b: 'x'.repeat(5) }] }, false],
  [{ a: ['x'.repeat(5), { b: 'x'.repeat(6) }] }, true],
  [[null, undefined, 12_345_678_901, true], false],
])('knows whether texts are long: %j', (value, isLong) => {
  expect(hasLongTexts(value, 10)).toBe(isLong)
})
