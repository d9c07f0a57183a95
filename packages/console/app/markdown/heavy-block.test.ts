import { describe, expect, it } from 'vitest'

import { isHeavyBlock } from './heavy-block.ts'

describe('isHeavyBlock', () => {
  it.each([
    ['1,200 lists in each other', `${'- '.repeat(1200)}x`],
    ['2,500 quotations in each other', '> '.repeat(2500)],
    ['numbered lists in each other', '1. '.repeat(700)],
    ['mixed levels', '> - 1. '.repeat(300)],
    [
      'a list that is 700 deep by its indentation',
      Array.from({ length: 700 }, (_, n) => `${'  '.repeat(n)}- x`).join('\n'),
    ],
    ['a table of 1,500 columns', `${'|a'.repeat(1500)}|\n${'|-'.repeat(1500)}|`],
    ['emphasis that never ends', '*a **b '.repeat(2000)],
    ['brackets', '['.repeat(3000)],
    ['a very long line', 'x'.repeat(20_001)],
  ])('is true of %s', (_what, block) => {
    expect(isHeavyBlock(block)).toBe(true)
  })

  it.each([
    ['prose', 'word '.repeat(2800)],
    ['a table', `| a | b |\n|---|---|\n${'| 1 | *2* |\n'.repeat(100)}`],
    ['a nested list', '- a\n  - b\n    - c\n      1. d\n'.repeat(20)],
    ['a rule', '* * * * * * * * *'],
    ['a thematic break', '-'.repeat(25)],
  ])('is false of %s', (_what, block) => {
    expect(isHeavyBlock(block)).toBe(false)
  })
})
