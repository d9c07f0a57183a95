import { describe, expect, it } from 'vitest'

import { cpuMs } from '../../../../test/support/cpu-time.ts'
import { type Block } from './blocks.ts'
import { plain } from '../markdown/rich-text.ts'
import { readBlocks } from './read-blocks.ts'
import { readInline } from '../markdown/read-inline.ts'
import { read } from './documents.fixture.ts'

/** A block on one line: `h2 text`, `p text`, `-1 text`, `3. text`, `row a / b`, `rule`. */
function lineOf(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `h${block.level} ${plain(block.text)}`
    case 'paragraph':
      return `p${block.depth || ''} ${plain(block.text)}`
    case 'item':
      return `${block.number === undefined ? `-${block.depth}` : `${block.number}.`} ${plain(block.text)}`
    case 'row':
      return `row ${block.cells.map(plain).join(' / ')}`
    case 'rule':
      return 'rule'
  }
}

describe('the blocks of a resume', () => {
  it.each([
    ['# A #\n\n###   B', ['h1 A', 'h3 B']],
    ['A\n===\nB\n---\nC', ['h1 A', 'h2 B', 'p C']],
    ['#hashtag\n\n#', ['p #hashtag']],
    ['one\ntwo\n\nthree', ['p one two', 'p three']],
    ['数据平台\n工程师 and\nmore', ['p 数据平台工程师 and more']],
    ['one  \ntwo\\\nthree<br>four', ['p one\ntwo\nthree\nfour']],
    ['a\n\n---\n\n***\n\nb', ['p a', 'rule', 'rule', 'p b']],
    ['- a\n- b\n  - c\n    - d\n- e', ['-0 a', '-0 b', '-1 c', '-2 d', '-0 e']],
    ['• a\n● b\n◦ c', ['-0 a', '-0 b', '-0 c']],
    ['- a\nlazy\n\n  more\n\nout', ['-0 a lazy', 'p1 more', 'p out']],
    ['1. a\n1. b\n\n5) c', ['1. a', '2. b', '3. c']],
    ['3、甲\n4、乙', ['3. 甲', '4. 乙']],
    ['In the year\n2019. Then more', ['p In the year 2019. Then more']],
    ['1.5 years', ['p 1.5 years']],
    ['- *a*\n* b', ['-0 a', '-0 b']],
    [
      '| a | b\\|c |\n| --- | :-: |\n| d | e |\n\n| no | table |',
      ['row a / b|c', 'row d / e', 'p | no | table |'],
    ],
    ['> quoted\n> more', ['p quoted more']],
    ['```js\nconst a = **1**\n  b\n```\nafter', ['p const a = **1**\n  b', 'p after']],
    ['```\nnever closed', ['p never closed']],
    ['a <!-- b\n\nc --> d', ['p a  d']],
    ['\u200B\uFEFF a\u202E\u0007b', ['p ab']],
    ['', []],
    ['-\n\n*\n', ['p -', 'p *']],
  ])('%j', (markdown, blocks) => {
    expect(readBlocks(markdown).map(lineOf)).toEqual(blocks)
  })
})

describe('what stands in a line', () => {
  it.each([
    ['a **b** c', 'a [b:b] c'],
    ['**负责**，*斜*体', '[b:负责]，[i:斜]体'],
    ['***both*** **a *b***', '[bi:both] [b:a ][bi:b]'],
    ['snake_case_name and _this_', 'snake_case_name and [i:this]'],
    ['2 * 3 * 4 and ** a **', '2 * 3 * 4 and ** a **'],
    ['*a', '*a'],
    ['~~old~~ ~5', 'old ~5'],
    ['`**code**` and ``a`b``', '**code** and a`b'],
    ['\\*not\\* C:\\dir', '*not* C:\\dir'],
    ['[a **b**](https://x.example "t")', '[<https://x.example>:a ][b<https://x.example>:b]'],
    ['[a](javascript:x) ![logo](l.png)', 'a logo'],
    [
      'see https://x.example/a_b_c, or me@x.example.',
      'see [<https://x.example/a_b_c>:https://x.example/a_b_c], or [<mailto:me@x.example>:me@x.example].',
    ],
    ['网址https://x.example/a。好', '网址[<https://x.example/a>:https://x.example/a]。好'],
    ['<u>a</u> List<String> <me@x.example>', 'a List<String> [<mailto:me@x.example>:me@x.example]'],
    ['R&amp;D &lt;b&gt; &#20013; &#0; &nope;', 'R&D <b> 中  &nope;'],
    ['C++ and C# *', 'C++ and C# *'],
  ])('%j', (markdown, expected) => {
    const marked = readInline(markdown).map(({ text, bold, italic, href }) => {
      const marks = `${bold ? 'b' : ''}${italic ? 'i' : ''}${href === undefined ? '' : `<${href}>`}`
      return marks === '' ? text : `[${marks}:${text}]`
    })

    expect(marked.join('')).toBe(expected)
  })

  it.each(['*', '**a ', '[', '<', '`', '&', '_a ', '![['])(
    'is read in no time, however many %j there are',
    (sign) => {
      const markdown = sign.repeat(50_000 / sign.length)

      const cost = cpuMs(() => expect(readInline(markdown).length).toBeGreaterThan(0))

      expect(cost).toBeLessThan(5000)
    },
  )
})

describe('the head of a resume', () => {
  it.each([
    [
      '# Ada\n\nada@x.example | Berlin\n+49 30 123 4567\n\n## Work',
      'Ada',
      ['ada@x.example | Berlin', '+49 30 123 4567'],
      ['h2 Work'],
    ],
    ['# **Ada**\n\n---\n\n# Work\n\n# More', undefined, [], ['h2 Ada', 'rule', 'h2 Work', 'h2 More']],
    [
      '# 李明\n\n求职意向：工程师\n\n十年经验，擅长数据平台。',
      '李明',
      ['求职意向：工程师'],
      ['p 十年经验，擅长数据平台。'],
    ],
    [
      'Ada Lovelace\nada@x.example\n\n### Work\n\n#### Acme',
      'Ada Lovelace',
      ['ada@x.example'],
      ['h2 Work', 'h3 Acme'],
    ],
    ['Only words, and no more.', undefined, [], ['p Only words, and no more.']],
    ['# Ada\n\n- a', 'Ada', [], ['-0 a']],
  ])('%j', (markdown, name, contact, blocks) => {
    const resume = read(markdown)

    expect(resume.name && plain(resume.name)).toBe(name)
    expect(resume.contact.map(plain)).toEqual(contact)
    expect(resume.blocks.map(lineOf)).toEqual(blocks)
  })
})
