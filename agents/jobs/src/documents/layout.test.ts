import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { breakLines, type Setting } from './break-lines.ts'
import { paginate } from './paginate.ts'
import { splitAtBreakOpportunities } from './split-at-break-opportunities.ts'
import type { Strip } from './layout-context.ts'
import { createFontFaceSplitter } from './font-face-splitter.ts'

/** A letter is one wide, a Chinese sign two. */
const setting: Setting = {
  set: createFontFaceSplitter(() => true, new Set()),
  look: () => ({ weight: 'regular', italic: false }),
  measure: (text) => Array.from(text).reduce((sum, sign) => sum + (sign > '\u2E80' ? 2 : 1), 0),
}

function lines(text: string, width: number): string[] {
  const filled = breakLines([{ text, bold: false, italic: false }], width, setting)
  return filled.map(({ runs }) => runs.map((run) => run.text).join(''))
}

describe('segmentsOf', () => {
  it.each([
    ['two words', 'two |words'],
    ['数据，平台。', '数|据，|平|台。'],
    ['（杭州）有限', '（杭|州）|有|限'],
    ['用Go写', '用|Go|写'],
    ['他说“好”。', '他|说|“好”。'],
    ['high-throughput C++- x-1', 'high-|throughput |C++- |x-1'],
    ['a\u00A0b c', 'a\u00A0b |c'],
    ['¥100 起', '¥100 |起'],
    ['don’t', 'don’t'],
    ['一……二', '一……|二'],
  ])('%s', (text, parts) => {
    expect(splitAtBreakOpportunities(text).join('|')).toBe(parts)
  })
})

describe('fill', () => {
  it.each([
    ['one two three', 8, ['one two', 'three']],
    ['数据平台，好', 8, ['数据平', '台，好']],
    ['see https://x.example/one/two now', 16, ['see', 'https://x.', 'example/one/two', 'now']],
    ['abcdefghij', 4, ['abcd', 'efgh', 'ij']],
    ['', 8, ['']],
  ])('%j in %i', (text, width, expected) => {
    expect(lines(text, width)).toEqual(expected)
  })

  it('keeps all words and the width', () => {
    const text = fc.array(fc.constantFrom('a', 'bb ', '数', '，', ' ', '-', 'https://', '“', '”', 'c', '.'), {
      maxLength: 60,
    })
    fc.assert(
      fc.property(text, fc.integer({ min: 4, max: 30 }), (signs, width) => {
        const made = lines(signs.join(''), width)
        expect(made.join('').replaceAll(' ', '')).toBe(signs.join('').replaceAll(' ', ''))
        for (const line of made)
          expect(
            setting.measure(line, { script: 'western', weight: 'regular', italic: false }),
          ).toBeLessThanOrEqual(width)
      }),
    )
  })
})

describe('paginate', () => {
  const strip = (height: number, keep = false): Strip => ({ before: 0, height, keep, marks: [] })
  const shape = (strips: readonly Strip[], height: number): number[] =>
    paginate(strips, height).map((page) => page.length)

  it('starts a page when the last one is full', () => {
    expect(shape([strip(4), strip(4), strip(4)], 10)).toEqual([2, 1])
  })

  it('keeps strips with "keep" on one page', () => {
    expect(shape([strip(4), strip(4), strip(1, true), strip(2)], 10)).toEqual([2, 2])
    expect(shape([strip(8), strip(1, true), strip(1, true), strip(1)], 10)).toEqual([1, 3])
  })

  it('splits a chain of strips that is longer than a page', () => {
    expect(
      shape(
        Array.from({ length: 25 }, () => strip(1, true)),
        10,
      ),
    ).toEqual([10, 10, 5])
    expect(shape([strip(30), strip(1)], 10)).toEqual([1, 1])
  })

  it('drops the space at the top of a page', () => {
    const spaced: Strip = { ...strip(4), before: 3 }

    expect(paginate([spaced, spaced], 8).map((page) => page.map(({ y }) => y))).toEqual([[0], [0]])
    expect(paginate([spaced, spaced], 11).map((page) => page.map(({ y }) => y))).toEqual([[0, 7]])
  })
})
