import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { DifferenceLine } from './difference-shape.ts'
import { differenceOf } from './difference.ts'

const lines = fc.array(
  fc.constantFrom('# Ada', '## Skills', '- Go', '- Go, Kafka', '熟悉Redis缓存', '熟悉缓存优化', ''),
  {
    maxLength: 12,
  },
)

describe('a difference', () => {
  it('has both texts in it, line by line', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const difference = differenceOf(before.join('\n'), after.join('\n'))
        const without = (other: DifferenceLine['op']): string =>
          difference.lines
            .filter(({ op }) => op !== other)
            .map(({ text }) => text)
            .join('\n')
            .trimEnd()

        expect(without('added')).toBe(before.join('\n').trimEnd())
        expect(without('removed')).toBe(after.join('\n').trimEnd())
      }),
    )
  })

  it('has each changed line in the words of it', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        for (const { text, words } of differenceOf(before.join('\n'), after.join('\n')).lines) {
          if (words) expect(words.map((word) => word.text).join('')).toBe(text)
        }
      }),
    )
  })

  it('names the sections that differ, and cuts Chinese into words', () => {
    const { sections, lines: all } = differenceOf(
      '# 李明\n## 工作经历\n- 开发系统\n## 技能\n熟悉Redis缓存',
      '# 李明\n## 工作经历\n- 开发系统\n## 技能\n精通Redis缓存',
    )

    expect(sections).toEqual(['技能'])
    expect(all.find(({ op }) => op === 'added')?.words).toEqual([
      { op: 'added', text: '精通' },
      { op: 'same', text: 'Redis缓存' },
    ])
  })

  it('is none in line ends alone', () => {
    expect(differenceOf('a\r\nb\r\n', 'a\nb')).toMatchObject({ added: 0, removed: 0, sections: [] })
  })
})
