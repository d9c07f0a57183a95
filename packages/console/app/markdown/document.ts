import type { Definition, FootnoteDefinition, Literal, Nodes } from 'mdast'
import { normalizeIdentifier } from 'micromark-util-normalize-identifier'
import type { Extension as Syntax } from 'micromark-util-types'
import remend from 'remend'

import { namesIn, type DefinedNames } from './defined-names.ts'
import { partsOf, type NodeOrTag } from './html-elements.ts'
import { nextPiece } from './next-piece.ts'
import { parseMarkdown } from './parse-markdown.ts'

/** What may be the label of a link or of a footnote. What is escaped begins none. */
const LABEL = /\\[^]|\[((?:[^[\]\\]|\\[^]){1,999})\]/g

/** A block of a text: what is next to it changes nothing in it. */
export type Block = {
  /** Where it begins in the text. */
  readonly start: number
  readonly source: string
  readonly parts: readonly NodeOrTag[]
  readonly definitions: readonly (Definition | FootnoteDefinition)[]
}

/** A text as one tree, of which the parser has read a part. */
export type Document = {
  readonly text: string
  readonly syntax: Syntax | undefined
  readonly names: DefinedNames
  /** Blocks that stay as they are, whatever the text goes on with. They end at `end`. */
  readonly closed: readonly Block[]
  readonly end: number
  /** The last blocks, which may change while the text grows. */
  readonly open: readonly Block[]
  /** Whether all of the text is read. */
  readonly isWhole: boolean
}

type GrowOptions = {
  readonly text: string
  readonly syntax: Syntax | undefined
  /** Whether the text still grows: what it has begun is shown as if it had been ended. */
  readonly isOpen: boolean
}

/**
 * Reads the next piece of a text. Blocks that an earlier reading has closed are kept: the parser gives the same for
 * each of them as if it had read the whole text again.
 */
export function growDocument(earlier: Document | undefined, { text, syntax, isOpen }: GrowOptions): Document {
  const names = namesIn(text, earlier)
  const before = earlier && continues(earlier, text, syntax) ? earlier : undefined
  const end = before?.end ?? 0
  const closedBefore = before ? readAgain(before, names) : []
  const piece = nextPiece(text.slice(end))
  const read = (source: string, start: number): readonly Block[] => blocksIn(source, { start, names, syntax })
  if (piece.isPlain) {
    const block = plainBlock(piece.text, end)
    const rest = { text, syntax, names, isWhole: !piece.isCut }
    return piece.isCut
      ? { ...rest, closed: [...closedBefore, block], end: end + piece.text.length, open: [] }
      : { ...rest, closed: closedBefore, end, open: [block] }
  }
  const blocks = read(piece.text, end)
  const count = closedCount(blocks, piece.text, end)
  const isAll = piece.isCut && (count === 0 || isPlainNext(text, end + piece.text.length))
  const closed = isAll ? blocks : blocks.slice(0, count)
  const closedEnd = isAll ? end + piece.text.length : (blocks[count]?.start ?? end)
  const rest = piece.text.slice(closedEnd - end)
  const ended = isOpen && !piece.isCut ? remend(rest, { linkMode: 'text-only' }) : rest
  const open = ended === rest ? blocks.slice(closed.length) : read(ended, closedEnd)
  return {
    text,
    syntax,
    names,
    closed: [...closedBefore, ...closed],
    end: closedEnd,
    open,
    isWhole: !piece.isCut,
  }
}

function continues(earlier: Document, text: string, syntax: Syntax | undefined): boolean {
  return earlier.syntax === syntax && text.startsWith(earlier.text.slice(0, earlier.end))
}

/** What follows a piece that is cut is a heavy stretch, or the rest of its last block. */
function isPlainNext(text: string, at: number): boolean {
  return nextPiece(text.slice(at)).isPlain
}

/** The closed blocks of a document. Those that use a name which has been defined since are read again. */
function readAgain({ closed, names: namesBefore, syntax }: Document, names: DefinedNames): readonly Block[] {
  if (names === namesBefore) return closed
  const isAdded = (label: string): boolean => {
    const name = normalizeIdentifier(label)
    const note = name.slice(1)
    if (name.startsWith('^')) return names.notes.has(note) && !namesBefore.notes.has(note)
    return names.links.has(name) && !namesBefore.links.has(name)
  }
  return closed.flatMap((block) => {
    if (!block.source.includes('[') || block.parts.some((part) => 'type' in part && part.type === 'plain'))
      return [block]
    const labels = Array.from(block.source.matchAll(LABEL), ([, label = '']) => label)
    if (!labels.some(isAdded)) return [block]
    return blocksIn(block.source, { start: block.start, names, syntax })
  })
}

type ReadOptions = {
  readonly start: number
  readonly names: DefinedNames
  readonly syntax: Syntax | undefined
}

function blocksIn(source: string, { start, names, syntax }: ReadOptions): readonly Block[] {
  try {
    const { children } = parseMarkdown(source, names, syntax)
    const starts = children.map(({ position }) => lineStart(source, position?.start.offset ?? 0))
    return children.map((node, index) => {
      const parts = partsOf(node)
      return {
        start: start + (starts[index] ?? 0),
        source: source.slice(starts[index], starts[index + 1]),
        parts,
        definitions: parts.flatMap((part) => ('type' in part ? definitionsIn(part) : [])),
      }
    })
  } catch {
    // Whatever the parser cannot take is still to be read.
    return [plainBlock(source, start)]
  }
}

function lineStart(source: string, offset: number): number {
  return source.lastIndexOf('\n', offset - 1) + 1
}

function plainBlock(source: string, start: number): Block {
  return { start, source, parts: [{ type: 'plain', value: source }], definitions: [] }
}

/**
 * How many blocks have ended for good: those before a block that begins after a blank line, with a line that is whole.
 */
function closedCount(blocks: readonly Block[], text: string, offset: number): number {
  for (let count = blocks.length - 1; count > 0; count--) {
    const at = (blocks[count]?.start ?? 0) - offset
    const before = text.slice(lineStart(text, at - 1), at)
    if (before.trim() === '' && text.includes('\n', at)) return count
  }
  return 0
}

function definitionsIn(node: Nodes): readonly (Definition | FootnoteDefinition)[] {
  if (node.type === 'definition') return [node]
  const inner = 'children' in node ? node.children.flatMap((child: Nodes) => definitionsIn(child)) : []
  return node.type === 'footnoteDefinition' ? [node, ...inner] : inner
}

declare module 'mdast' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- It is theirs, and extended here.
  interface RootContentMap {
    plain: Plain
  }
}

/** Text that is shown as it is. */
type Plain = Literal & { type: 'plain' }
