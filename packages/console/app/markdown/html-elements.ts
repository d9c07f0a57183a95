import type { Html, Literal, Nodes, Paragraph, PhrasingContent } from 'mdast'

declare module 'mdast' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- It is theirs, and extended here.
  interface RootContentMap {
    htmlElement: HtmlElement
  }
  // oxlint-disable-next-line typescript/consistent-type-definitions -- It is theirs, and extended here.
  interface PhrasingContentMap {
    htmlElement: HtmlElement
  }
}

/** An element of HTML, without its attributes. */
type HtmlElement = Pick<Literal, 'data' | 'position'> & {
  type: 'htmlElement'
  name: string
  /** Whether the text wants details to be shown at first. */
  isOpen: boolean
  children: Nodes[]
}

/** Elements within a line. What a text writes of any other one is shown as it is written. */
const INLINE = new Set('b del em i ins kbd mark s small strong sub sup u'.split(' '))
const BLOCK = new Set(['details', 'summary'])

/** Elements in each other. Those that are deeper are text: a page that is too deep overflows what draws it. */
const MAX_DEPTH = 50

type Tag = { readonly name: string; readonly isEnd: boolean; readonly source: string }
/** A node, or a tag that may begin or end an element among the nodes next to it. */
export type NodeOrTag = Nodes | Tag
type Frame = { readonly tag: Tag | undefined; readonly nodes: Nodes[] }

const isTag = (part: NodeOrTag): part is Tag => 'isEnd' in part

/** Makes elements of the tags within a block. Those that may belong to another block are returned apart. */
export function partsOf(block: Nodes): NodeOrTag[] {
  const node: Nodes = block.type === 'html' ? paragraphOf(block) : block
  if (!('children' in node)) return [node]
  if (node.type !== 'paragraph') return [withElements(node)]
  return splitAtTags(node).map((part) => (isTag(part) ? part : withElements(part)))
}

/**
 * Joins what is between the tags of an element. A tag without its other is text, but for those of a text that still
 * grows: `isOpen`.
 */
export function joinElements(parts: readonly NodeOrTag[], isOpen = false): Nodes[] {
  const frames: Frame[] = [{ tag: undefined, nodes: [] }]
  const add = (node: Nodes): void => void frames.at(-1)?.nodes.push(node)
  const drop = (): void => {
    const { tag, nodes } = frames.pop() ?? { tag: undefined, nodes: [] }
    if (!tag) return
    add(textOf(tag))
    for (const node of nodes) add(node)
  }
  const close = ({ tag, nodes }: Frame): void => {
    const children = tag?.name === 'summary' ? lineOf(nodes) : nodes
    if (!tag) return
    const isShown = tag.name === 'details' && /\sopen\b/i.test(tag.source)
    add({ type: 'htmlElement', name: tag.name, isOpen: isShown, children })
  }
  for (const part of parts) {
    if (!isTag(part)) add(part)
    else if (!part.isEnd && frames.length <= MAX_DEPTH) frames.push({ tag: part, nodes: [] })
    else if (part.isEnd && frames.some(({ tag }) => tag?.name === part.name)) {
      while (frames.at(-1)?.tag?.name !== part.name) drop()
      const frame = frames.pop()
      if (frame) close(frame)
    } else add(textOf(part))
  }
  while (frames.length > 1) {
    const frame = isOpen ? frames.pop() : undefined
    if (frame) close(frame)
    else drop()
  }
  return frames[0]?.nodes ?? []
}

function withElements<Each extends Nodes>(node: Each): Each {
  if (!('children' in node)) return node
  const children: readonly Nodes[] = node.children
  const partsIn = (child: Nodes): NodeOrTag[] => {
    if (isFlow(node)) return partsOf(child)
    return child.type === 'html' ? tagsIn(child, INLINE) : [withElements(child)]
  }
  return { ...node, children: joinElements(children.flatMap(partsIn)) }
}

function isFlow({ type }: Nodes): boolean {
  return type === 'blockquote' || type === 'listItem' || type === 'footnoteDefinition'
}

function paragraphOf(html: Html): Paragraph {
  return { type: 'paragraph', children: [html], ...(html.position && { position: html.position }) }
}

/** The lines of a paragraph, and between them the tags of `details`. */
function splitAtTags(paragraph: Paragraph): (Paragraph | Tag)[] {
  const parts: (Paragraph | Tag)[] = []
  let line: PhrasingContent[] = []
  const end = (): void => {
    const isBlank = line.every((node) => node.type === 'text' && node.value.trim() === '')
    if (!isBlank) parts.push({ ...paragraph, children: line })
    line = []
  }
  for (const child of paragraph.children) {
    const found = child.type === 'html' ? tagsIn(child, BLOCK) : [child]
    for (const part of found) {
      if (!isTag(part)) line.push(part as PhrasingContent)
      else {
        end()
        parts.push(part)
      }
    }
  }
  end()
  return parts
}

/** The tags of some elements in a piece of HTML. What is between them stays as it is. */
function tagsIn({ value }: Html, names: ReadonlySet<string>): NodeOrTag[] {
  const parts: NodeOrTag[] = []
  let at = 0
  for (const match of value.matchAll(/<(\/?)([a-z]+)(?=[\s/>])[^<>]*>/gi)) {
    const [source, slash, word = ''] = match
    const name = word.toLowerCase()
    const isBreak = names === INLINE && name === 'br'
    if (!names.has(name) && !isBreak) continue
    if (match.index > at) parts.push({ type: 'html', value: value.slice(at, match.index) })
    parts.push(isBreak ? { type: 'break' } : { name, isEnd: slash === '/', source })
    at = match.index + source.length
  }
  return at < value.length ? [...parts, { type: 'html', value: value.slice(at) }] : parts
}

function textOf({ name, source }: Tag): Nodes {
  const text: Nodes = { type: 'text', value: source }
  return BLOCK.has(name) ? { type: 'paragraph', children: [text] } : text
}

/** The content of paragraphs, one after the other. */
function lineOf(nodes: readonly Nodes[]): Nodes[] {
  return nodes.flatMap((node) => (node.type === 'paragraph' ? node.children : [node]))
}
