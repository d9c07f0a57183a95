import * as fc from 'fast-check'
import { expect, it } from 'vitest'

import { createJsonCounter, encodeInPieces, findJsonExcess } from './json-counter.ts'

it('counts the values of a text in pieces as in one piece', () => {
  const text = fc.oneof(
    fc.json(),
    fc.json().map((json) => JSON.stringify(json.repeat(3000))),
  )
  fc.assert(
    fc.property(text, (json) => {
      const whole = createJsonCounter({ maxValues: Infinity })
      const pieces = createJsonCounter({ maxValues: Infinity })
      const excess = whole.take(new TextEncoder().encode(json))
      encodeInPieces(json, (piece) => expect(pieces.take(piece)).toBe(excess))
      expect(pieces.values()).toBe(whole.values())
    }),
    { numRuns: 50 },
  )
})

it('encodes a text in pieces', () => {
  const text = '"漢字𝒳é'.repeat(40_000)
  const pieces: Uint8Array[] = []
  encodeInPieces(text, (piece) => pieces.push(piece.slice()))

  expect(pieces.length).toBeGreaterThan(1)
  expect(Buffer.concat(pieces).toString().replaceAll('��', '𝒳')).toBe(text)
})

it('finds too many values far in a text', () => {
  const long = JSON.stringify('x'.repeat(200_000))
  expect(findJsonExcess(`[${long},${'0,'.repeat(49_990)}0]`)).toBeUndefined()
  expect(findJsonExcess(`[${long},${'0,'.repeat(50_001)}0]`)).toBe('values')
})
