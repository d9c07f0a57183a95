import { assert, integer, property, string } from 'fast-check'
import { describe, expect, it } from 'vitest'

import { findSecret } from './find-secret.ts'
import cases from '../../test/data/memories.json' with { type: 'json' }

describe('what is never kept', () => {
  it.each(Object.entries(cases.secrets))('%s: a %s', (text, kind) => {
    expect(findSecret(text)).toBe(kind)
  })

  it.each(cases.harmless)('%s: none', (text) => {
    expect(findSecret(text)).toBeUndefined()
  })

  it('finds the number of a card wherever it stands, and none that was mistyped in one place', () => {
    assert(
      property(
        string({ maxLength: 20 }),
        integer({ min: 0, max: 14 }),
        integer({ min: 1, max: 9 }),
        (text, at, by) => {
          const around = text.replaceAll(/\d/g, '#')
          const digits = '4539578763621486'
          const wrong = Array.from(digits, (digit, place) =>
            place === at + 1 ? (Number(digit) + by) % 10 : digit,
          )

          expect(findSecret(`${around}. ${digits} .${around}`)).toBeDefined()
          expect(findSecret(`No. ${wrong.join('')}`)).not.toBe('card')
        },
      ),
    )
  })
})
