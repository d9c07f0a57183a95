import {
  BorderStyle,
  ExternalHyperlink,
  HeadingLevel,
  Paragraph,
  ShadingType,
  TabStopType,
  TextRun,
  type IParagraphOptions,
  type ParagraphChild,
} from 'docx'

import { type Block, type BlockOf, type Resume } from './blocks.ts'
import { linesOf, type RichText } from '../markdown/rich-text.ts'
import { splitDates } from './split-dates.ts'
import type { Style } from './templates.ts'

const HEADINGS = [
  HeadingLevel.HEADING_1,
  HeadingLevel.HEADING_2,
  HeadingLevel.HEADING_3,
  HeadingLevel.HEADING_4,
  HeadingLevel.HEADING_5,
  HeadingLevel.HEADING_6,
] as const
const MAX_LIST_DEPTH = 8

/** Word counts in twentieths of a point. */
export function twips(points: number): number {
  return Math.round(points * 20)
}

/** A resume in paragraphs of Word, `width` points wide. */
export function paragraphsOf({ name, contact, blocks }: Resume, style: Style, width: number): Paragraph[] {
  /** The ordered list that is being told, by depth. */
  const lists = new Map<number, number>()
  let listCount = 0
  const paragraphs = blocks.map((block) => {
    if (block.kind !== 'item') return paragraphOf(block, { style, width, list: 0 })
    if (block.starts === true) lists.set(block.depth, listCount++)
    return paragraphOf(block, { style, width, list: lists.get(block.depth) ?? 0 })
  })
  return [
    ...(name ? [new Paragraph({ heading: HEADINGS[0], children: words(name, style) })] : []),
    ...contact.map((line) => new Paragraph({ style: 'Contact', children: words(line, style) })),
    ...paragraphs,
  ]
}

type Page = {
  readonly style: Style
  readonly width: number
  /** Which of the ordered lists it is in. */
  readonly list: number
}

function paragraphOf(block: Block, page: Page): Paragraph {
  const { style, width } = page
  switch (block.kind) {
    case 'heading':
      return new Paragraph({
        heading: HEADINGS[Math.min(block.level, HEADINGS.length) - 1] ?? HeadingLevel.HEADING_6,
        ...(block.level === 2 && sectionMark(style)),
        ...withDates(block.text, page),
      })
    case 'paragraph': {
      const indent = { left: twips(style.indent * block.depth) }
      return new Paragraph({ ...(block.depth > 0 && { indent }), ...withDates(block.text, page) })
    }
    case 'item': {
      const reference = block.number === undefined ? 'bullets' : `numbers-${page.list}`
      const numbering = { reference, level: Math.min(block.depth, MAX_LIST_DEPTH) }
      return new Paragraph({
        numbering,
        spacing: { after: twips(style.gaps.item) },
        children: words(block.text, style),
      })
    }
    case 'row':
      return row(block, style, width)
    case 'rule':
      return new Paragraph({
        border: { bottom: { style: BorderStyle.SINGLE, size: 4, color: hex(style.colors.rule) } },
      })
  }
}

function sectionMark({ mark }: Style): IParagraphOptions {
  const line = {
    style: BorderStyle.SINGLE,
    size: Math.round(mark.weight * 8),
    color: hex(mark.color),
    space: 2,
  }
  switch (mark.kind) {
    case 'band':
      return { shading: { type: ShadingType.CLEAR, fill: hex(mark.color) } }
    case 'below':
      return { border: { bottom: line } }
    case 'above':
      return { border: { top: line } }
  }
}

/** Dates stand at a tab at the right. */
function withDates(text: RichText, { style, width }: Page): IParagraphOptions {
  const parts = linesOf(text).length === 1 ? splitDates(text) : undefined
  if (!parts) return { children: words(text, style) }
  const when = new TextRun({ children: ['\t'] })
  return {
    tabStops: [{ type: TabStopType.RIGHT, position: twips(width) }],
    children: [...words(parts.what, style), when, ...words(parts.when, style, style.colors.quiet)],
  }
}

/** Cells are parted by tabs: a table is what programs that read resumes stumble over. */
function row({ cells, head }: BlockOf<'row'>, style: Style, width: number): Paragraph {
  const column = cells.length === 2 ? width / 4 : width / cells.length
  const stops = cells
    .slice(1)
    .map((_, at) => ({ type: TabStopType.LEFT, position: twips(column * (at + 1)) }))
  const last = twips(column * (cells.length - 1))
  return new Paragraph({
    tabStops: stops,
    indent: { left: last, hanging: last },
    spacing: { after: twips(style.gaps.item) },
    children: cells.flatMap((cell, at) => [
      ...(at > 0 ? [new TextRun({ children: ['\t'] })] : []),
      ...words(head ? cell.map((span) => ({ ...span, bold: true })) : cell, style),
    ]),
  })
}

function words(text: RichText, style: Style, color?: string): ParagraphChild[] {
  return text.flatMap((span): ParagraphChild[] => {
    const ink = span.href === undefined ? color : style.colors.link
    const look = {
      ...(span.bold && { bold: true }),
      ...(span.italic && { italics: true }),
      ...(ink !== undefined && { color: hex(ink) }),
    }
    const runs = span.text
      .split('\n')
      .map((line, at) => new TextRun(Object.assign({ text: line, break: at > 0 ? 1 : 0 }, look)))
    return span.href === undefined ? runs : [new ExternalHyperlink({ link: span.href, children: runs })]
  })
}

/** Colours have no `#` in Word. */
function hex(color: string): string {
  return color.slice(1)
}
