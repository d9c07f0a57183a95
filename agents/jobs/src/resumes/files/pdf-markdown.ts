import { findDates } from '../markdown/dates.ts'
import { joinLines } from '../markdown/outline.ts'
import { sectionOf } from '../markdown/sections.ts'
import type { Line } from './pdf-lines.ts'
import { heading, POINT, spaced } from './plain-text.ts'

const PAGE_NUMBER =
  /^(?:page\s+)?\d{1,3}(?:\s*(?:\/|of)\s*\d{1,3})?$|^第\s*\d{1,3}\s*页(?:[\s,，/]*共\s*\d{1,3}\s*页)?$|^-\s*\d{1,3}\s*-$/iu
const MAX_NAME_LENGTH = 60

/**
 * Writes the lines of a PDF's pages as Markdown: the name, sections, points, and sentences that go over several lines
 * as one.
 */
export function pdfMarkdown(pages: readonly (readonly Line[])[]): string {
  const lines = pages.flat().filter(({ text }) => !PAGE_NUMBER.test(text))
  const body = bodySize(lines)
  const name = nameLine(lines, body)
  const least = headingSize(lines, body)
  const output: string[] = []
  let before: Line | undefined
  for (const line of lines.filter((each) => each !== name)) {
    const last = output.at(-1) ?? ''
    const goesOn = before !== undefined && !isHeading(before, least) && continues(before, line, last)
    if (isHeading(line, least)) output.push(`## ${heading(line.text)}`)
    else if (POINT.test(line.text)) output.push(`- ${line.text.replace(POINT, '')}`)
    else if (goesOn) output[output.length - 1] = sentence(last, line.text)
    else output.push(line.text)
    before = line
  }
  return spaced([...(name ? [`# ${name.text}`] : []), ...output])
}

/** The size in which most is written. */
function bodySize(lines: readonly Line[]): number {
  const sizes = new Map<number, number>()
  for (const { size, text } of lines) {
    const rounded = Math.round(size * 2) / 2
    sizes.set(rounded, (sizes.get(rounded) ?? 0) + text.length)
  }
  return [...sizes].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? 0
}

/** The largest of the first lines, wherever its column puts it; else the very first, if it can be a name. */
function nameLine(lines: readonly Line[], body: number): Line | undefined {
  const first = lines[0]
  const large = lines
    .slice(0, 60)
    .filter((line) => line.size > body * 1.25 && isName(line))
    .toSorted((a, b) => b.size - a.size)[0]
  return large ?? (first && isName(first) && !/[:：,，|]/.test(first.text) ? first : undefined)
}

function isName({ text }: Line): boolean {
  return (
    text.length <= MAX_NAME_LENGTH &&
    /\p{L}/u.test(text) &&
    !/[\d@]/.test(text) &&
    !sectionOf(text) &&
    !POINT.test(text)
  )
}

/** How large headings are, by those that we know; nothing where they are no larger than the text. */
function headingSize(lines: readonly Line[], body: number): number | undefined {
  const sizes = lines.filter(({ text }) => sectionOf(text)).map(({ size }) => size)
  const least = Math.min(...sizes)
  return sizes.length > 0 && least > body * 1.08 ? least : undefined
}

function isHeading({ text, size }: Line, least: number | undefined): boolean {
  if (sectionOf(text)) return true
  return (
    least !== undefined && size > least - 0.3 && text.length <= 40 && !POINT.test(text) && !findDates(text)
  )
}

/** Whether a line goes on with the one before it, and does not stand for itself. */
function continues(before: Line, line: Line, last: string): boolean {
  const gap = before.y - line.y
  // In another column, on another page, or after a space.
  if (gap <= 0 || gap > Math.max(before.size, line.size) * 1.9 || before.edge !== line.edge) return false
  if (findDates(line.text)?.range || line.text.includes(' | ')) return false
  const long = before.size * 15
  const isFull = before.right > before.edge - before.size * 4 && before.right - before.left > long
  if (last.startsWith('- ')) {
    const isPoint = POINT.test(before.text)
    const hangs = isPoint ? line.left > before.left + 2 : Math.abs(line.left - before.left) < 2
    if (isFull) return line.left > before.left - 2
    return hangs && (/^[\p{Ll}\d(（]/u.test(line.text) || !hasRoomFor(line, before))
  }
  return isFull && Math.abs(line.left - before.left) < 2 && !/[.。!！?？]$/.test(before.text)
}

/** Whether the first word of a line had room at the end of the one before it, so that it was put below on purpose. */
function hasRoomFor(line: Line, before: Line): boolean {
  const word = /^[\p{Script=Latin}\p{N}][^\s\p{Script=Han}]*/u.exec(line.text)?.[0] ?? ''
  const width = ((line.right - line.left) * (word.length + 1)) / Math.max(1, line.text.length)
  return word === '' || before.right + width < before.edge
}

function sentence(before: string, after: string): string {
  // A word that is split at the end of a line keeps its hyphen: it may be its own.
  if (/\p{Ll}-$/u.test(before) && /^\p{Ll}/u.test(after)) return `${before}${after}`
  return joinLines(before, after)
}
