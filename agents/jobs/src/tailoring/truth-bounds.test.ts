import { expect, it } from 'vitest'

import { differenceOf } from './difference.ts'
import { RESUME } from './tailoring.fixture.ts'
import { truthOf } from './truth.ts'

const SIZE = 12_000
/** Texts of which each word, element or line is a finding. */
const TEXTS = {
  words: list((n) => `w${n}`, ' '),
  names: list((n) => `Xa${n}`, ' '),
  numbers: list((n) => `${n}%`, ' '),
  elements: `## Skills\n- ${list((n) => `x${n}`, ',')}`,
  'Chinese elements': `## 技能\n${list((n) => `甲${n % 99}`, '、')}`,
  lines: list((n) => `- Xa${n}`, '\n'),
  entries: `## Work\n${list((n) => `### Acme${n} | Lead 20${10 + (n % 10)}`, '\n')}`,
  sentences: list((n) => `Xa${n}.`, ' '),
}

function list(each: (nth: number) => string, separator: string): string {
  return Array.from({ length: SIZE / 2 }, (_, nth) => each(nth))
    .join(separator)
    .slice(0, SIZE)
}

it.each(Object.entries(TEXTS))('tells no more of a text than a few times its size: %s', (_name, text) => {
  const sizes = [truthOf(RESUME, text, ''), truthOf(text, RESUME, text), truthOf(text, 'Ada', text)].map(
    (truth) => JSON.stringify(truth).length,
  )
  expect(Math.max(...sizes)).toBeLessThan(15 * SIZE)
})

it('counts the marks that it does not tell, and shows the part of a sentence in which one stands', () => {
  const { marks, omitted } = truthOf(RESUME, TEXTS.names, '')

  expect(omitted?.marks).toBeGreaterThan(1000)
  for (const { said, sentence } of marks) expect(sentence).toContain(said)
  expect(marks.at(-1)?.sentence.length).toBeLessThan(310)
})

it('tells no difference that is many times the texts', () => {
  const pairs = [
    ['a b\n', 'a c\n'],
    ['a\n', 'b\n'],
    ['a b. ', 'a c. '],
    ['- 甲\n', '- 乙\n'],
  ] as const
  for (const [one, other] of pairs) {
    const difference = differenceOf(one.repeat(SIZE / one.length), other.repeat(SIZE / one.length))
    const parts = difference.lines.reduce((sum, { words = [] }) => sum + 1 + words.length, 0)
    expect(parts).toBeLessThanOrEqual(20_000)
    expect(difference.lines.length).toBeGreaterThan(0)
  }
  const { lines, omitted, added } = differenceOf('', 'b\n'.repeat(50_000))
  expect([lines.length, omitted, added]).toEqual([10_000, 40_001, 50_000])
})
