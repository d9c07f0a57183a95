import type { Element, ElementContent, Nodes as Tree } from 'hast'
import type { Definition, Nodes, RootContent } from 'mdast'
import { toHast, type Handlers } from 'mdast-util-to-hast'

import type { Scope } from './references.ts'

/** Code and formulas are written from the left everywhere. */
const TEXT_BLOCKS: ReadonlySet<string> = new Set('p ul ol blockquote table h1 h2 h3 h4 h5 h6'.split(' '))

type Options = {
  readonly scope: Scope
  /** Ids on the page begin with it. */
  readonly prefix: string
}

/**
 * Makes a tree of HTML of a block. Each block has the direction of its own letters: Arabic and Hebrew are read from
 * the right.
 */
export function toElements(node: Nodes, options: Options): Tree {
  const children = node.type === 'footnoteDefinition' ? node.children : [node as RootContent]
  const tree = toHast(
    { type: 'root', children: [...options.scope.definitions, ...children] },
    { handlers: handlersOf(options) },
  )
  if (tree.type === 'root')
    for (const child of tree.children)
      if (child.type === 'element' && TEXT_BLOCKS.has(child.tagName))
        child.properties = { ...child.properties, dir: 'auto' }
  return tree
}

/** The id of a footnote, or of the place that refers to it. */
export function noteId(prefix: string, kind: 'note' | 'reference', number: number): string {
  return `${prefix}-${kind}-${number}`
}

function handlersOf({ scope, prefix }: Options): Handlers {
  const namesBefore = new Set<string>()
  return {
    html: (_state, { value }: { value: string }) => text(value),
    plain: (_state, { value }: { value: string }) =>
      element('pre', { className: 'plain-text' }, [text(value)]),
    htmlElement: (state, node: Extract<Nodes, { type: 'htmlElement' }>) =>
      element(node.name, node.isOpen ? { open: true } : {}, state.all(node)),
    formula: (_state, { value, source, isDisplay }: Extract<Nodes, { type: 'formula' }>) =>
      element('x-formula', { value, source, isDisplay }),
    formulaBlock: (_state, { value, source, isDisplay }: Extract<Nodes, { type: 'formulaBlock' }>) =>
      element('x-formula', { value, source, isDisplay }),
    code: (_state, { value, lang }: Extract<Nodes, { type: 'code' }>) =>
      element('x-code', { code: value, language: lang ?? undefined }),
    definition(_state, { label, identifier, url, title }: Definition) {
      // An address that nothing refers to must not be lost.
      if (!scope.unused.includes(identifier)) return undefined
      const link = element('a', { href: url }, [text(url)])
      return element('p', {}, [text(`[${label ?? identifier}]: `), link, text(title ? ` "${title}"` : '')])
    },
    footnoteReference(_state, { identifier, label }: Extract<Nodes, { type: 'footnoteReference' }>) {
      const note = scope.notes.find(({ name }) => name === identifier)
      if (!note) return text(`[^${label ?? identifier}]`)
      const isFirst = note.isFirst && !namesBefore.has(identifier)
      namesBefore.add(identifier)
      const link = element('a', { href: `#${noteId(prefix, 'note', note.number)}` }, [text(`${note.number}`)])
      return element('sup', isFirst ? { id: noteId(prefix, 'reference', note.number) } : {}, [link])
    },
  }
}

function text(value: string): ElementContent {
  return { type: 'text', value }
}

function element(
  tagName: string,
  properties: Readonly<Record<string, string | boolean | undefined>>,
  children: ElementContent[] = [],
): Element {
  return { type: 'element', tagName, properties, children }
}
