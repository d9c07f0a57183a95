import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { CHINESE_RESUME, RESUME } from './tailoring.fixture.ts'
import { truthOf } from './truth.ts'

const bases = fc.constantFrom(RESUME, CHINESE_RESUME)
const anyText = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.lorem({ maxCount: 30 }), bases)

describe('the truth check', () => {
  it('finds nothing in what was not changed', () => {
    fc.assert(
      fc.property(anyText, anyText, (base, posting) => {
        const { clean, warnings, keywords } = truthOf(base, base, posting)

        expect({ clean, warnings, safe: keywords.safe }).toEqual({ clean: true, warnings: [], safe: [] })
      }),
    )
  })

  it('finds nothing made up in lines of the base, whichever and in whatever order', () => {
    const some = bases.chain((base) => fc.tuple(fc.constant(base), fc.shuffledSubarray(base.split('\n'))))
    fc.assert(
      fc.property(some, ([base, lines]) => {
        expect(truthOf(base, lines.join('\n'), '').marks).toEqual([])
      }),
    )
  })

  it('marks each bullet whose words the base does not have', () => {
    const latin = fc
      .array(fc.stringMatching(/^[bcdfghjklmnpqrstvwz]{2}[aeiou][bcdfghjklmnpqrstvwz]{2}[aeiou]x$/), {
        minLength: 1,
        maxLength: 8,
      })
      .map((words) => words.join(' '))
    const chinese = fc.stringMatching(/^[鲸鳄鹦鹉蜻蜓蟋蟀蜈蚣]{2,12}$/)
    fc.assert(
      fc.property(bases, fc.oneof(latin, chinese), fc.nat(), (base, bullet, at) => {
        const lines = base.split('\n')
        const line = at % (lines.length + 1)
        lines.splice(line, 0, `- ${bullet}`)

        expect(truthOf(base, lines.join('\n'), '').marks.map((mark) => mark.line)).toContain(line + 1)
      }),
    )
  })

  it('marks each number that the base does not have', () => {
    const wrong = fc.integer({ min: 3000, max: 900_000 }).filter((value) => value !== 30_000)
    fc.assert(
      fc.property(wrong, (value) => {
        const english = truthOf(RESUME, RESUME.replace('1,200', value.toLocaleString('en-US')), '')
        const chinese = truthOf(CHINESE_RESUME, CHINESE_RESUME.replace('3万', String(value)), '')

        for (const { marks } of [english, chinese]) {
          expect(marks.map(({ kind }) => kind)).toContain('changed_number')
        }
      }),
    )
  })

  it('reads whatever it is given', () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, (base, tailored, posting) => {
        const { clean, marks } = truthOf(base, tailored, posting)

        expect(clean).toBe(marks.length === 0)
      }),
    )
  })
})
