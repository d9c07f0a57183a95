import { readInline } from './read-inline.ts'
import type { Span } from './rich-text.ts'

/**
 * Markdown's own marks. What is escaped in a text (`\|`, `&#124;`) is moved to a private plane of Unicode before the
 * text is looked at, so that nothing takes it for a mark, and moved back at the end.
 */
const PRIVATE = 0xf0000
const NAMED: Readonly<Record<string, number>> = { amp: 38, lt: 60, gt: 62, quot: 34, apos: 39, nbsp: 160 }

function hidden(code: number): string {
  return code > 0 && code <= 0xfffd ? String.fromCodePoint(PRIVATE + code) : ''
}

/** Hides what is escaped. */
export function hideEscapes(markdown: string): string {
  return markdown
    .replace(/\\([!-/:-@[-`{-~])/g, (_, mark: string) => hidden(mark.charCodeAt(0)))
    .replace(/&#(\d{1,5});/g, (_, code: string) => hidden(Number(code)))
    .replace(/&#x([\da-f]{1,4});/gi, (_, code: string) => hidden(Number.parseInt(code, 16)))
    .replace(/&(amp|lt|gt|quot|apos|nbsp);/g, (_, name: string) => hidden(NAMED[name] ?? 32))
}

/** Shows again what was escaped. */
function reveal(text: string): string {
  return text.replace(/[\u{f0001}-\u{ffffd}]/gu, (char) =>
    String.fromCodePoint((char.codePointAt(0) ?? PRIVATE) - PRIVATE),
  )
}

/** A line's text without emphasis and links. Of a link its words stay. */
export function stripMarkdown(text: string): string {
  return joinSpans(text, (span) => span.text)
}

/** The same as it is to be read. */
export function plain(text: string): string {
  return reveal(stripMarkdown(text)).replace(/\s+/g, ' ').trim()
}

/** The same, with the address of each link behind its words. */
export function plainWithAddresses(text: string): string {
  return plain(joinSpans(text, (span) => (span.href === undefined ? span.text : `${span.text} ${span.href}`)))
}

/** A line in which an address stands for each link to a page. */
export function withAddresses(text: string): string {
  return joinSpans(text, ({ text: words, href }) => (href !== undefined && isPage(href) ? href : words))
}

/** The addresses of the pages that a line links to. */
export function addresses(text: string): readonly string[] {
  return readInline(text).flatMap(({ href }) => (href !== undefined && isPage(href) ? [reveal(href)] : []))
}

function joinSpans(text: string, textOf: (span: Span) => string): string {
  return readInline(text).map(textOf).join('').replaceAll('\n', ' ').trim()
}

function isPage(address: string): boolean {
  return /^https?:\/\/./i.test(address)
}

/** A text as Markdown that reads as just this text. `also` are marks that mean something where it stands. */
export function escapeMarkdown(text: string, also = ''): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*[\]]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/&(?=#?\w{1,10};)|<(?=[a-z/!?])|~(?=~)|(?<=~)~|(?<=\s)#(?=#*$)/gi, '\\$&')
    .replace(/./gsu, (char) => (also.includes(char) ? entity(char) : char))
    .replace(/^[#>+=|~-]|^\d{1,9}(?=[.)])|^[•●◦·▪■○➢✓–—‣∙*]/u, (start) => start.replace(/./gu, entity))
}

/** A mark that Markdown escapes with a backslash; another as its number. */
function entity(char: string): string {
  return /[!-/:-@[-`{-~]/.test(char) ? `\\${char}` : `&#${char.codePointAt(0)};`
}
