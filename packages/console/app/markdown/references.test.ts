import type { Nodes } from 'mdast'
import { describe, expect, it } from 'vitest'

import { growDocument } from './document.ts'
import { joinElements } from './html-elements.ts'
import { referencesIn } from './references.ts'

function read(text: string, isOpen: boolean) {
  let document = growDocument(undefined, { text, syntax: undefined, isOpen })
  while (!document.isWhole) document = growDocument(document, { text, syntax: undefined, isOpen })
  const blocks = [...document.closed, ...document.open]
  const parts = blocks.flatMap((block) => block.parts)
  const nodes = joinElements(parts, isOpen).filter(({ type }) => type !== 'footnoteDefinition')
  return { nodes, references: referencesIn(blocks, nodes) }
}

function depthOf(node: Nodes): number {
  let depth = 0
  for (let inner: Nodes | undefined = node; inner && 'children' in inner; inner = inner.children[0])
    depth += 1
  return depth
}

describe('referencesIn', () => {
  it('reads a tree of any depth', () => {
    let node: Nodes = { type: 'footnoteReference', identifier: 'a' }
    for (let depth = 0; depth < 100_000; depth++)
      node = { type: 'htmlElement', name: 'details', isOpen: false, children: [node] }
    const { scopeOf } = referencesIn(
      [
        {
          start: 0,
          source: '',
          parts: [],
          definitions: [{ type: 'footnoteDefinition', identifier: 'a', children: [] }],
        },
      ],
      [node],
    )

    expect(scopeOf(node).notes).toEqual([{ name: 'a', number: 1, isFirst: true }])
  })

  it('numbers footnotes in the order of their first references', () => {
    const { nodes, references } = read(
      'a[^x] b[^y] c[^x]\n\nd[^z]\n\n[^z]: z\n[^y]: y\n[^x]: x [^y]\n',
      false,
    )

    expect(references.notes.map(({ identifier }) => identifier)).toEqual(['x', 'y', 'z'])
    expect(nodes.map((node) => references.scopeOf(node).notes.map(({ number }) => number))).toEqual([
      [1, 2],
      [3],
    ])
  })

  it.each([
    ['closed', '</details>\n\n'.repeat(3000), false],
    ['open', '', false],
    ['open while the text grows', '', true],
    ['followed by ends of others', '</summary>\n\n'.repeat(3000), false],
  ])('takes 3,000 details in each other, %s, and leaves what is around as it is', (_what, ends, isOpen) => {
    const { nodes } = read(`*Before.*\n\n${'<details>\n\n'.repeat(3000)}[a]\n\n${ends}*After.*`, isOpen)

    expect(nodes[0]).toMatchObject({ type: 'paragraph', children: [{ type: 'emphasis' }] })
    expect(Math.max(...nodes.map((node) => depthOf(node)))).toBeLessThan(60)
  })
})
