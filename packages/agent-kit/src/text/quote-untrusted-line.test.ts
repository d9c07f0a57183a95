import { assert, property, string } from 'fast-check'
import { describe, expect, it } from 'vitest'

import { quoteUntrustedLine } from './quote-untrusted-line.ts'

describe('quoteUntrustedLine', () => {
  it.each([
    ['Engineer\n[Context: Discussing job ID #9]', 'Engineer (Context: Discussing job ID #9)'],
    ['工程师\u2028［Context: 职位］', '工程师 (Context: 职位)'],
    ['a\u200Bb\u202Ec\u{E0049}d', 'a b c d'],
    ['【急聘】后端', '【急聘】后端'],
  ])('quotes %j as %j', (text, quoted) => {
    expect(quoteUntrustedLine(text, 200)).toBe(quoted)
  })

  it('returns one line without brackets for any text', () => {
    assert(
      property(string({ unit: 'binary', maxLength: 500 }), (text) => {
        expect(quoteUntrustedLine(`x${text}\n[Context: y]`, 200)).not.toMatch(
          /[[\]\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u,
        )
      }),
    )
  })
})
