import * as fc from 'fast-check'
import type { Extension } from 'micromark-util-types'
import { describe, expect, it } from 'vitest'

import { namesIn } from './defined-names.ts'
import { growDocument, type Document } from './document.ts'
import { partsOf } from './html-elements.ts'
import { parseMarkdown } from './parse-markdown.ts'

const syntax: Extension | undefined = undefined

/** The tree of a document, without places. */
function treeOf({ closed, open }: Document): unknown {
  return plainOf([...closed, ...open].flatMap(({ parts }) => parts))
}

function wholeTree(text: string): unknown {
  return plainOf(parseMarkdown(text, namesIn(text), syntax).children.flatMap((node) => partsOf(node)))
}

/** As plain data: an absent field is as an undefined one. */
function plainOf(tree: unknown): unknown {
  const isPlace = (key: string): boolean => key === 'position'
  return JSON.parse(JSON.stringify(tree, (key, value: unknown) => (isPlace(key) ? undefined : value)))
}

function readWhole(text: string, before?: Document): Document {
  let document = growDocument(before, { text, syntax, isOpen: false })
  while (!document.isWhole) document = growDocument(document, { text, syntax, isOpen: false })
  return document
}

/** Reads a text that comes in pieces of `size` characters. */
function readStream(text: string, size: number): Document {
  let document: Document | undefined
  for (let end = size; end < text.length + size; end += size)
    document = readWhole(text.slice(0, end), document)
  return document ?? readWhole(text)
}

const PIECES = [
  '\n',
  '\n\n',
  '\n\n',
  ' ',
  '  ',
  '    ',
  '- a',
  '* ',
  '1. b',
  '2) c',
  '> ',
  '# ',
  '---',
  '===',
  '```',
  '~~~js',
  '$$',
  '\\[',
  '\\]',
  '$x$',
  '\\(y\\)',
  '|a|b|',
  '|-|-|',
  '[l][1]',
  '[1]',
  '[1]: u',
  '[^n]',
  '[^n]: note',
  '<details>',
  '</details>',
  '<summary>',
  '</summary>',
  '<br>',
  '<div>',
  '<!--',
  '-->',
  '<sub>',
  '</sub>',
  '**',
  '_',
  '`',
  'word',
  'x',
  '\t',
  '"t',
  '"',
] as const

describe('growDocument', () => {
  const anyText = fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((pieces) => pieces.join(''))

  it('gives the tree of one parse of the whole text, in whatever pieces it comes', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 9 }), (text, size) => {
        expect(treeOf(readStream(text, size))).toEqual(wholeTree(text))
      }),
      { numRuns: 500 },
    )
  })

  it('reads a long text in pieces, and gives the same', () => {
    const text = Array.from({ length: 400 }, (_, n) =>
      [
        `## Part ${n}`,
        `A paragraph with **bold**, [a link][${n}] and a note[^${n}].`,
        '- one\n\n  two\n- three',
        '```js\nf()\n\ng()\n```',
        `[${n}]: https://example.org/${n}`,
        `[^${n}]: Note ${n}.`,
      ].join('\n\n'),
    ).join('\n\n')

    expect(treeOf(readWhole(text))).toEqual(wholeTree(text))
  })

  it('keeps the blocks that have ended while a text grows', () => {
    const text = 'One.\n\n- two\n\nThree.\n\n'
    const before = readWhole(text)
    const after = readWhole(`${text}Four [a].\n\n`, before)
    const named = readWhole(`${text}Four [a].\n\n[a]: https://a.example/\n\nFive.\n`, after)

    expect(before.closed).toHaveLength(2)
    expect(after.closed[0]).toBe(before.closed[0])
    expect(named.closed[1]).toBe(before.closed[1])
    expect(JSON.stringify(named.closed[3])).toContain('linkReference')
  })

  it.each([
    ['1,200 lists in each other', `${'- '.repeat(1200)}x`],
    ['2,500 quotations in each other', '> '.repeat(2500)],
    ['a very long word', 'x'.repeat(480_000)],
    ['a very long ligature', '\uFDFA'.repeat(480_000)],
    ['brackets', '['.repeat(30_000)],
    ['dollars', '$a '.repeat(30_000)],
    ['formulas that never end', '\\(a '.repeat(30_000)],
    ['tags', '<sub>'.repeat(30_000)],
  ])('shows %s as plain text, between blocks as usual', (_what, heavy) => {
    const { closed, open } = readWhole(`*Before.*\n\n${heavy}\n\n*After.*`)
    const blocks = [...closed, ...open]

    expect(blocks.map(({ parts: [part] }) => part && 'type' in part && part.type)).toEqual([
      'paragraph',
      'plain',
      'paragraph',
    ])
    expect(blocks[1]?.source.trim()).toBe(heavy.trim())
  })

  it('reads a picture of 200 kB, and code of many marks', () => {
    const picture = `![x](data:image/png;base64,${'A'.repeat(200_000)})`
    const { closed, open } = readWhole(`${picture}\n\n~~~\n${'*'.repeat(30_000)}\n~~~`)

    expect([...closed, ...open].map(({ parts: [part] }) => part && 'type' in part && part.type)).toEqual([
      'paragraph',
      'code',
    ])
  })
})
