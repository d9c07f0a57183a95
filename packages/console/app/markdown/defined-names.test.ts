import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { namesIn } from './defined-names.ts'

const plain = ({ links, notes }: ReturnType<typeof namesIn>) => ({ links: [...links], notes: [...notes] })

describe('namesIn', () => {
  it.each([
    ['[a]: u', ['A'], []],
    ['> - 1. [a  B]: u\n[^c]: note\r\n   [d\\]e]: u', ['A B', 'D\\]E'], ['C']],
    ['x [a]: u\n[b] : u\n[]: u\n[c\nd]: u\n[e[f]]: u', [], []],
    [`[${'a'.repeat(999)}]: u\n[${'b'.repeat(1000)}]: u`, ['A'.repeat(999)], []],
  ])('finds what begins a line of %j', (text, links, notes) => {
    expect(plain(namesIn(text))).toEqual({ links, notes })
  })

  it('finds the same in a text that grows, in whatever pieces it comes', () => {
    const anyText = fc.array(fc.constantFrom('[', ']', ']:', '[a]:', '^', '\\', '\n', '- ', '> ', 'b', ' '))
    fc.assert(
      fc.property(anyText, anyText, anyText, (...pieces) => {
        let text = ''
        let names = namesIn(text)
        for (const piece of pieces) {
          const grown = text + piece.join('')
          names = namesIn(grown, { text, names })
          text = grown
        }
        expect(plain(names)).toEqual(plain(namesIn(text)))
      }),
    )
  })

  it('reads only the new part of a text that grows', () => {
    const start = `[a]: u\n${']:'.repeat(40_000)}\n`
    const empty = { links: new Set<string>(), notes: new Set<string>() }

    // It takes the word of the earlier reading for what was before.
    expect(namesIn(`${start}x`, { text: start, names: empty })).toBe(empty)
    expect(plain(namesIn(`${start}[b]: u`, { text: start, names: empty }))).toEqual({
      links: ['B'],
      notes: [],
    })
    expect(plain(namesIn(`${start}[b]: u`, { text: 'other', names: empty }))).toEqual({
      links: ['A', 'B'],
      notes: [],
    })
  })
})
