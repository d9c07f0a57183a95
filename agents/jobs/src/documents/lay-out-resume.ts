import { type Block, type BlockOf, type Resume } from './blocks.ts'
import { cut, linesOf, plain, type Span, type RichText } from '../markdown/rich-text.ts'
import { splitDates } from './split-dates.ts'
import type { Type } from './font-face-splitter.ts'
import { breakLines, type Line } from './break-lines.ts'
import { layOutTable } from './lay-out-table.ts'
import {
  baseline,
  settingOf,
  textMarks,
  type Mark,
  type LayoutContext,
  type Strip,
} from './layout-context.ts'
import type { TypeStyle } from './templates.ts'

/** Lays a resume out in one column, from top to bottom in the order of reading. */
export function layOutResume(resume: Resume, sheet: LayoutContext): Strip[] {
  const strips = head(resume, sheet)
  const { blocks } = resume
  for (let at = 0; at < blocks.length; at += 1) {
    const block = blocks[at]
    if (!block) continue
    if (block.kind !== 'row') {
      strips.push(...blockStrips(block, { previous: blocks[at - 1], next: blocks[at + 1] }, sheet))
      continue
    }
    const end = blocks.findIndex((other, place) => place > at && (other.kind !== 'row' || other.head))
    const rows = blocks.slice(at, end === -1 ? blocks.length : end).filter((other) => other.kind === 'row')
    strips.push(...layOutTable(rows, sheet))
    at += rows.length - 1
  }
  return strips
}

function head({ name, contact }: Resume, sheet: LayoutContext): Strip[] {
  const { style, width } = sheet
  if (!name && contact.length === 0) return []
  const strips = [
    ...(name ? textStrips(name, style.name, { sheet, before: 0 }) : []),
    ...contact.flatMap((text) =>
      contactLines(text, sheet).flatMap((line) => textStrips(line, style.contact, { sheet, before: 0 })),
    ),
  ]
  const marks: Mark[] = []
  let y = style.gaps.head * 0.6
  for (const height of style.headRule?.weights ?? []) {
    marks.push({ kind: 'box', x: 0, y, width, height, color: style.headRule?.color ?? '' })
    y += height + 1.6
  }
  return [...strips, { before: 0, height: Math.max(y, style.gaps.head), keep: false, marks }]
}

/** Where a contact is too long for a line, it is broken between its parts, and what parted them goes. */
function contactLines(text: RichText, sheet: LayoutContext): RichText[] {
  const setting = settingOf(sheet, sheet.style.contact)
  const lines: RichText[] = []
  let [from, to] = [0, 0]
  for (const { index, 0: field } of plain(text).matchAll(/[^|｜·•]+/gu)) {
    const end = index + field.trimEnd().length
    if (to > from && breakLines(cut(text, from, end), sheet.width, setting).length > 1) {
      lines.push(cut(text, from, to))
      from = index + field.length - field.trimStart().length
    }
    to = end
  }
  return [...lines, cut(text, from, to)]
}

type Neighbours = { readonly previous: Block | undefined; readonly next: Block | undefined }

function blockStrips(
  block: Exclude<Block, BlockOf<'row'>>,
  { previous, next }: Neighbours,
  sheet: LayoutContext,
): Strip[] {
  const { style, width } = sheet
  const { gaps } = style
  switch (block.kind) {
    case 'heading':
      return headingStrips(block, { previous, next }, sheet)
    case 'paragraph':
      return textStrips(block.text, style.body, {
        sheet,
        before: afterHeading(previous) ? 1 : gaps.paragraph,
        indent: block.depth,
      })
    case 'item':
      return itemStrips(block, previous, sheet)
    case 'rule': {
      // Between sections, their own marks part them.
      const marks: Mark[] = [{ kind: 'box', x: 0, y: 0, width, height: 0.5, color: style.colors.rule }]
      return [{ before: gaps.entry, height: 0.5, keep: false, marks }]
    }
  }
}

function afterHeading(previous: Block | undefined): boolean {
  return previous?.kind === 'heading'
}

function headingStrips(
  { level, text }: BlockOf<'heading'>,
  { previous, next }: Neighbours,
  sheet: LayoutContext,
): Strip[] {
  const { style, width } = sheet
  const { gaps, mark, section } = style
  // One with nothing below it, as a degree that needs no more words, belongs to none.
  const keep = next !== undefined && !(next.kind === 'heading' && next.level <= level)
  if (level > 2) {
    const entry = level > 3 ? { ...style.entry, size: style.body.size } : style.entry
    const first = previous?.kind === 'heading' && previous.level < level
    return textStrips(text, entry, { sheet, before: first ? 2 : gaps.entry, keepAll: keep })
  }
  const inset = mark.kind === 'band' ? 5 : 0
  const strips = textStrips(text, section, { sheet, before: gaps.section, keepAll: keep, inset })
  const box = (y: number, height: number, across = width): Mark => ({
    kind: 'box',
    x: 0,
    y,
    width: across,
    height,
    color: mark.color,
  })
  switch (mark.kind) {
    case 'band': {
      const banded = strips.map((strip) => ({ ...strip, marks: [box(0, strip.height), ...strip.marks] }))
      return [...banded, { before: 0, height: gaps.afterSection, keep, marks: [] }]
    }
    case 'below':
      return [...strips, { before: 1.5, height: gaps.afterSection, keep, marks: [box(0, mark.weight)] }]
    case 'above': {
      const bar: Strip = {
        before: gaps.section,
        height: mark.weight + 3,
        keep: true,
        marks: [box(0, mark.weight, 26)],
      }
      const [first, ...rest] = strips
      return first
        ? [bar, { ...first, before: 0 }, ...rest, { before: 0, height: gaps.afterSection, keep, marks: [] }]
        : []
    }
  }
}

function itemStrips(item: BlockOf<'item'>, previous: Block | undefined, sheet: LayoutContext): Strip[] {
  const { style } = sheet
  const { indent, bullets, gaps, body, colors } = style
  const sign =
    item.number === undefined ? (bullets[Math.min(item.depth, bullets.length - 1)] ?? '•') : `${item.number}.`
  const span: Span = { text: sign, bold: false, italic: false }
  const [label] = breakLines([span], Number.POSITIVE_INFINITY, settingOf(sheet, body))
  const before = previous?.kind === 'item' ? gaps.item : afterHeading(previous) ? 1 : gaps.paragraph / 2
  const strips = textStrips(item.text, body, { sheet, before, indent: item.depth + 1 })
  const [first, ...rest] = strips
  const room = (item.depth + 1) * indent
  // A long number begins further to the left, and never in the text.
  const x = Math.min(item.depth * indent + indent * 0.3, room - (label?.width ?? 0) - 3)
  const mark = label ? textMarks(label, body, { x, y: baseline(body), color: () => colors.bullet }) : []
  return first ? [{ ...first, marks: [...mark, ...first.marks] }, ...rest] : []
}

type Placing = {
  readonly sheet: LayoutContext
  readonly before: number
  /** In how many lists it stands. */
  readonly indent?: number
  readonly inset?: number
  /** Whether it stands on the page of what follows. */
  readonly keepAll?: boolean
}

/** A text in strips of a line each. Its first two lines stay together, and so do its last two. */
function textStrips(text: RichText, type: TypeStyle, placing: Placing): Strip[] {
  const { sheet, before, keepAll = false, indent = 0, inset = 0 } = placing
  const leftEdge = indent * sheet.style.indent + inset
  const room = sheet.width - leftEdge - inset
  const setting = settingOf(sheet, type)
  const rows = linesOf(text).flatMap(
    (line) =>
      withDates(line, room, type, sheet) ?? breakLines(line, room, setting).map((one) => ({ line: one })),
  )
  return rows.map(({ line, aside }: Row, at) => {
    const x = leftEdge + (type.centered ? (room - line.width) / 2 : 0)
    const y = baseline(type)
    const marks = textMarks(line, type, {
      x,
      y,
      color: (run) => (run.href === undefined ? type.color : linkColor(type, sheet)),
    })
    if (aside) {
      const quiet = { ...type, color: sheet.style.colors.quiet }
      marks.push(
        ...textMarks(aside, quiet, { x: leftEdge + room - aside.width, y, color: () => quiet.color }),
      )
    }
    const keep = keepAll || (rows.length > 1 && (at === 0 || at === rows.length - 2))
    return { before: at === 0 ? before : 0, height: type.size * type.leading, keep, marks }
  })
}

type Row = { readonly line: Line; readonly aside?: Line }

/** The dates go to the right. Where both do not fit in a line, they stay as they are. */
function withDates(text: RichText, room: number, type: TypeStyle, sheet: LayoutContext): Row[] | undefined {
  const parts = type.centered ? undefined : splitDates(text)
  if (!parts) return undefined
  const setting = settingOf(sheet, type)
  const [line, more] = breakLines(parts.what, room, setting)
  const light = (span: Span): Type => ({ weight: sheet.style.body.weight, italic: span.italic })
  const [aside, others] = breakLines(parts.when, room, { ...setting, look: light })
  if (!line || more || !aside || others || line.width + aside.width + type.size * 2 > room) return undefined
  return [{ line, aside }]
}

function linkColor(type: TypeStyle, { style }: LayoutContext): string {
  return type.color === style.body.color ? style.colors.link : type.color
}
