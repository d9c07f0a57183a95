import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { normalForm } from './normal-form.ts'

const FORMS = ['NFC', 'NFD', 'NFKC', 'NFKD'] as const
const MARKS = ['\u0301', '\u0316', '\u0344', '\u0e38', '\u0f71']

describe('a text in a normal form', () => {
  it('is what Unicode says, of every text of a language', () => {
    const text = fc.string({ unit: 'grapheme' })
    fc.assert(
      fc.property(text, fc.constantFrom(...FORMS), (words, form) => {
        expect(normalForm(words, form)).toBe(words.normalize(form))
      }),
    )
  })

  it('is not many times as long', () => {
    const signs = Array.from({ length: 0x11000 }, (_, code) => String.fromCodePoint(code))
    const long = signs.filter((sign) => sign.normalize('NFKC').length > 3)
    for (const form of FORMS)
      for (const sign of long) {
        expect(normalForm(sign, form)).toBe(sign.normalize(form))
        expect(normalForm(sign.repeat(20_000), form).length).toBeLessThanOrEqual(7 * 20_000)
      }
  })

  it('has few marks on a letter, in whichever order they come', () => {
    const marks = fc.array(fc.constantFrom(...MARKS), { minLength: 31, maxLength: 400 })
    fc.assert(
      fc.property(marks, fc.constantFrom(...FORMS), (signs, form) => {
        const found = normalForm(`a${signs.join('')}b`, form)
        expect(found.length).toBeLessThanOrEqual(2 + 2 * 30)
        expect(found.at(-1)).toBe('b')
      }),
    )
  })
})
