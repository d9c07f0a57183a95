import { normalForm } from 'dragoman/events'
import { type Block } from './blocks.ts'
import { plain, type RichText } from '../markdown/rich-text.ts'
import { isContact } from './to-resume.ts'
import { readInline } from '../markdown/read-inline.ts'

const HEADING = /^ {0,3}(#{1,6})(?:\s(.*))?$/s
/** The signs that may close a heading. */
const CLOSING = /(?<!\s)\s+#+$/
const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/
const UNDERLINE = /^ {0,3}(=+|-+)\s*$/
const ITEM = /^(\s*)(?:([-*+•●◦▪‣])\s+|(\d{1,6})(?:[.)]\s+|[、．]\s*))(\S.*)$/
const ROW = /^\s*\|(.*)\|\s*$/
const DELIMITERS = /^\s*\|(?:\s*:?-+:?\s*\|)+\s*$/
const FENCE = /^\s*(`{3,}|~{3,})/
const HAN = /[\p{sc=Han}\u3000-\u303F\uFF00-\uFFEF]/u

/**
 * Reads the Markdown that resumes are written in. The lines of a contact stay lines, elsewhere only those that are
 * broken on purpose.
 */
export function readBlocks(markdown: string): readonly Block[] {
  return blocksOf(tidy(markdown).split('\n'))
}

/** What has no shape of its own is left out: marks of direction, of order, joiners. */
function tidy(markdown: string): string {
  return normalForm(withoutComments(markdown), 'NFC')
    .replaceAll(/\r\n?|[\u2028\u2029\f\v]/g, '\n')
    .replaceAll('\t', '    ')
    .replaceAll(/[^\P{Cc}\n]|[\p{Cf}\p{Cs}\p{Co}\uFE00-\uFE0F]/gu, '')
}

/** A comment without an end stays. */
function withoutComments(markdown: string): string {
  let rest = ''
  let at = 0
  for (;;) {
    const start = markdown.indexOf('<!--', at)
    const end = start < 0 ? -1 : markdown.indexOf('-->', start + 4)
    if (end < 0) return rest + markdown.slice(at)
    rest += markdown.slice(at, start)
    at = end + 3
  }
}

type List = { readonly indent: number; number: number | undefined }

/** What is being read: the lines of a block that has not ended, and the lists that we are in. */
type Reading = {
  readonly blocks: Block[]
  lists: List[]
  open: { readonly lines: string[]; readonly end: (text: RichText) => Block } | undefined
  blank: boolean
}

function blocksOf(lines: readonly string[]): Block[] {
  const reading: Reading = { blocks: [], lists: [], open: undefined, blank: true }
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    const fence = FENCE.exec(line)?.[1]
    if (fence === undefined) {
      readLine(reading, line.replace(/^ {0,3}(?:> ?)+/, ''), lines[at + 1] ?? '')
      continue
    }
    const end = lines.findIndex((other, place) => place > at && other.trim().startsWith(fence))
    const code = lines.slice(at + 1, end === -1 ? lines.length : end)
    close(reading)
    const text = code.join('\n').trim()
    if (text !== '')
      reading.blocks.push({ kind: 'paragraph', depth: 0, text: [{ text, bold: false, italic: false }] })
    at = end === -1 ? lines.length : end
  }
  close(reading)
  return reading.blocks
}

function readLine(reading: Reading, line: string, next: string): void {
  const blank = line.trim() === ''
  if (blank) close(reading)
  else if (!(heading(reading, line) || item(reading, line) || row(reading, line, next))) prose(reading, line)
  reading.blank = blank
}

/** The block that was being read has ended. */
function close(reading: Reading): void {
  const { open, blocks } = reading
  reading.open = undefined
  const text = open
    ? readInline(together(open.lines, blocks.length < 3 && isContact(open.lines.join('\n'))))
    : []
  if (open && plain(text).trim() !== '') blocks.push(open.end(text))
}

function heading(reading: Reading, line: string): boolean {
  const marked = HEADING.exec(line)
  const under = reading.open && reading.lists.length === 0 ? UNDERLINE.exec(line)?.[1] : undefined
  if (!marked && under === undefined && !RULE.test(line)) return false
  if (under !== undefined && reading.open) {
    reading.open = {
      ...reading.open,
      end: (text) => ({ kind: 'heading', level: under.startsWith('=') ? 1 : 2, text }),
    }
  }
  close(reading)
  reading.lists = []
  if (marked) {
    const text = readInline((marked[2] ?? '').trim().replace(CLOSING, ''))
    if (plain(text).trim() !== '')
      reading.blocks.push({ kind: 'heading', level: marked[1]?.length ?? 1, text })
  } else if (under === undefined) reading.blocks.push({ kind: 'rule' })
  return true
}

function item(reading: Reading, line: string): boolean {
  const match = ITEM.exec(line)
  if (!match) return false
  const [, space = '', , digits, text = ''] = match
  // A line of prose may begin with a number: it only begins a list where a block may begin.
  if (digits !== undefined && reading.open && reading.lists.length === 0 && Number(digits) !== 1) return false
  close(reading)
  const lists = reading.lists.filter(({ indent }) => indent <= space.length)
  let list = lists.at(-1)
  if (!list || space.length >= list.indent + 2) {
    list = { indent: space.length, number: undefined }
    lists.push(list)
  }
  const starts = digits !== undefined && list.number === undefined
  if (digits === undefined) list.number = undefined
  else list.number = list.number === undefined ? Number(digits) : list.number + 1
  reading.lists = lists
  const { number } = list
  const depth = lists.length - 1
  const end = (content: RichText): Block => ({
    kind: 'item',
    depth,
    ...(number !== undefined && { number, starts }),
    text: content,
  })
  reading.open = { lines: [text], end }
  return true
}

function row(reading: Reading, line: string, next: string): boolean {
  const match = ROW.exec(line)
  const inTable = !reading.blank && reading.blocks.at(-1)?.kind === 'row' && !reading.open
  const head = match !== null && DELIMITERS.test(next)
  if (!match || !(head || inTable)) return false
  close(reading)
  reading.lists = []
  if (DELIMITERS.test(line)) return true
  const cells = (match[1] ?? '').split(/(?<!\\)\|/).map((cell) => readInline(cell.trim()))
  if (cells.some((cell) => plain(cell).trim() !== '')) reading.blocks.push({ kind: 'row', head, cells })
  return true
}

function prose(reading: Reading, line: string): void {
  if (reading.open) {
    reading.open.lines.push(line)
    return
  }
  if (reading.blank) {
    const indent = line.length - line.trimStart().length
    reading.lists = reading.lists.filter((list) => list.indent + 2 <= indent)
  }
  const depth = reading.lists.length
  reading.open = { lines: [line], end: (text) => ({ kind: 'paragraph', depth, text }) }
}

/** One text of several lines: a break is a space, unless it is meant or Chinese goes on. */
function together(lines: readonly string[], asLines: boolean): string {
  let text = ''
  for (const line of lines) {
    const before = text.at(-1) ?? ''
    const words = line.trimStart()
    if (text === '') text = words
    else if (asLines || text.endsWith('  ')) text = `${text.trimEnd()}<br>${words}`
    else if (text.endsWith('\\')) text = `${text.slice(0, -1)}<br>${words}`
    else text = HAN.test(before) && HAN.test(words.charAt(0)) ? text + words : `${text} ${words}`
  }
  return text.trimEnd()
}
