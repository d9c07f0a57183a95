import { anyOf } from '../words/word-pattern.ts'
import { cut, plain, type Span, type RichText } from './rich-text.ts'

/** What holds for all that stands inside of something. */
type Look = { readonly bold: boolean; readonly italic: boolean; readonly href?: string }

const PLAIN: Look = { bold: false, italic: false }
/** Each level reads all of its content again: the limit bounds the time. */
const MAX_DEPTH = 6
/** Without a limit, each mark without an end would be searched for to the end of the text. */
const MAX_EMPHASIS_LENGTH = 1000

const ESCAPE = /^\\([!-/:-@[-`{-~])/
const LINK = new RegExp(
  [
    String.raw`^!?\[((?:[^[\]\\]|\\.|\[[^[\]]*\])*)\]`,
    String.raw`\(\s*(?!\s)<?([^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)*)>?(?:\s+["'(][^\n]*?["')]\s*|\s*)\)`,
  ].join(''),
)
const AUTOLINK = /^<((?:https?:\/\/|mailto:|tel:)[^\s<>]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+)>/i
const BREAK = /^<br\s*\/?>\n?/i
const TAGS =
  'a abbr b big blockquote center code del details div em figure font h[1-6] hr i img ins kbd li mark ol p pre s ' +
  'section small span strike strong sub summary sup table tbody td th thead tr tt u ul'
const TAG = new RegExp(String.raw`^<\/?${anyOf(TAGS.split(' '))}(?:\s[^<>]*)?\/?>`, 'i')
const ENTITY =
  /^&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos|nbsp|middot|bull|ndash|mdash|copy|reg));/i
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00A0',
  middot: '·',
  bull: '•',
  ndash: '–',
  mdash: '—',
  copy: '©',
  reg: '®',
}
/** Where something begins that is more than text. */
const NEXT = /[\\`[<&*_~!]/g
/** A mail address is no longer than it may be: a text of dots would be looked through from each of them to its end. */
const ADDRESS = new RegExp(
  [
    String.raw`\bhttps?:\/\/(?:[.,;:!?')\]]*[^\s<>"“”（）【】，。；、.,;:!?'")\]])+`,
    String.raw`\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){0,8}\.[a-z]{2,63}\b`,
  ].join('|'),
  'gi',
)

/** Reads what stands in a line of Markdown. Single breaks have been dealt with: each that is left is meant. */
export function readInline(markdown: string): RichText {
  return mergeSpans(spans(markdown, PLAIN, 0)).flatMap(withAddresses)
}

function spans(markdown: string, look: Look, depth: number): Span[] {
  const found: Span[] = []
  let at = 0
  while (at < markdown.length) {
    NEXT.lastIndex = at
    const next = NEXT.exec(markdown)?.index ?? markdown.length
    if (next > at) found.push({ ...look, text: markdown.slice(at, next) })
    if (next === markdown.length) break
    const special = read(markdown, next, look, depth)
    found.push(...(special?.spans ?? [{ ...look, text: markdown.charAt(next) }]))
    at = next + (special?.length ?? 1)
  }
  return found
}

type Special = { readonly spans: readonly Span[]; readonly length: number }

function read(markdown: string, at: number, look: Look, depth: number): Special | undefined {
  // Nothing but a link, a tag or emphasis is longer, and those who write them do not write more.
  const rest = markdown.slice(at, at + 4000)
  const special = (match: RegExpExecArray | null, text: string, href = look.href): Special | undefined =>
    match
      ? { spans: [{ ...look, ...(href !== undefined && { href }), text }], length: match[0].length }
      : undefined

  switch (rest[0]) {
    case '\\': {
      const match = ESCAPE.exec(rest)
      return special(match, match?.[1] ?? '')
    }
    case '`': {
      return codeSpan(rest, look)
    }
    case '&': {
      const match = ENTITY.exec(rest)
      return special(match, match ? entity(match) : '')
    }
    case '<':
      return tag(rest, special)
    case '[':
    case '!':
      return depth < MAX_DEPTH ? link(rest, look, depth) : undefined
    default:
      return depth < MAX_DEPTH ? emphasis(markdown, at, look, depth) : undefined
  }
}

/** A text between two runs of as many grave accents. */
function codeSpan(rest: string, look: Look): Special | undefined {
  const [mark = ''] = /^`+/.exec(rest) ?? []
  let end = rest.indexOf(mark, mark.length)
  while (end >= 0 && rest[end + mark.length] === '`') {
    while (rest[end] === '`') end += 1
    end = rest.indexOf(mark, end)
  }
  if (end < 0) return undefined
  const text = rest.slice(mark.length, end).replace(/^ (.*) $/s, '$1')
  return { spans: [{ ...look, text }], length: end + mark.length }
}

function tag(
  rest: string,
  special: (match: RegExpExecArray | null, text: string, href?: string) => Special | undefined,
): Special | undefined {
  const auto = AUTOLINK.exec(rest)
  const address = auto?.[1] ?? ''
  if (auto)
    return special(
      auto,
      address.replace(/^(mailto|tel):/i, ''),
      address.includes(':') ? address : `mailto:${address}`,
    )
  return special(BREAK.exec(rest), '\n') ?? special(TAG.exec(rest), '')
}

function link(rest: string, look: Look, depth: number): Special | undefined {
  const match = LINK.exec(rest)
  if (!match) return undefined
  const [whole, text = '', address = ''] = match
  // Of a picture, only the words stay. An address of another scheme is no link.
  const leads = !whole.startsWith('!') && /^(https?:\/\/|mailto:|tel:)/i.test(address)
  const inside = leads ? { ...look, href: address } : look
  return { spans: spans(text === '' && leads ? address : text, inside, depth + 1), length: whole.length }
}

function entity([, decimal, hexadecimal, name = '']: RegExpExecArray): string {
  const named = ENTITIES[name.toLowerCase()]
  if (named !== undefined) return named
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal)
  const character = code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : ''
  return /[\p{Cc}\p{Cs}]/u.test(character) ? '' : character
}

/**
 * `**bold**`, `*italic*`, `***both***`, `_italic_`, `~~struck~~`. Other than in CommonMark, emphasis may touch
 * Chinese signs: who writes `**负责**，` means it.
 */
function emphasis(markdown: string, at: number, look: Look, depth: number): Special | undefined {
  const sign = markdown.charAt(at)
  let run = 1
  while (run < 3 && markdown.charAt(at + run) === sign) run += 1
  if (sign === '~' && run !== 2) return undefined
  if (sign === '_' && /[\p{L}\p{N}]/u.test(markdown.charAt(at - 1))) return undefined
  const mark = sign.repeat(run)
  const from = at + run
  if (!/\S/.test(markdown.charAt(from)) || markdown.charAt(from) === sign) return undefined
  const to = closing(markdown.slice(0, from + MAX_EMPHASIS_LENGTH), mark, from)
  if (to === undefined) return undefined
  const inside: Look = {
    ...look,
    bold: look.bold || (sign !== '~' && run >= 2),
    italic: look.italic || (sign !== '~' && run !== 2),
  }
  return { spans: spans(markdown.slice(from, to), inside, depth + 1), length: to + run - at }
}

function closing(markdown: string, mark: string, from: number): number | undefined {
  const sign = mark.charAt(0)
  for (let to = markdown.indexOf(mark, from); to !== -1; to = markdown.indexOf(mark, to)) {
    let end = to
    while (markdown.charAt(end) === sign) end += 1
    const fits = end - to === mark.length || (end - to > mark.length && end - to === 3)
    const ends = sign !== '_' || !/[\p{L}\p{N}]/u.test(markdown.charAt(end))
    if (fits && ends && to > from && /\S/.test(markdown.charAt(to - 1))) {
      // `**bold *and italic***`: the inner one takes the first of them.
      return end - mark.length
    }
    to = end
  }
  return undefined
}

function mergeSpans(all: readonly Span[]): Span[] {
  const made: Span[] = []
  for (const span of all) {
    const last = made.at(-1)
    if (last && last.bold === span.bold && last.italic === span.italic && last.href === span.href)
      made[made.length - 1] = { ...last, text: last.text + span.text }
    else if (span.text !== '') made.push(span)
  }
  return made
}

/** Addresses can be clicked, whether or not they are marked. */
function withAddresses(span: Span): RichText {
  if (span.href !== undefined) return [span]
  const made: Span[] = []
  let at = 0
  for (const match of span.text.matchAll(ADDRESS)) {
    const [address] = match
    made.push(...cut([span], at, match.index))
    at = match.index + address.length
    made.push({ ...span, text: address, href: /^https?:/i.test(address) ? address : `mailto:${address}` })
  }
  made.push(...cut([span], at, plain([span]).length))
  return made
}
