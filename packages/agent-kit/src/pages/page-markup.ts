import { parseHTML } from 'linkedom'

import { shortenBlanks, type TextNode } from './shorten-blanks.ts'

/** The part of a DOM element that this package uses. */
export interface PageElement {
  readonly textContent: string
  readonly innerHTML: string
  readonly firstChild: PageElement | null
  readonly nextSibling: PageElement | null
  readonly parentNode: PageElement | null
  getAttribute(name: string): string | null
  querySelector(selectors: string): PageElement | null
  querySelectorAll(selectors: string): Iterable<PageElement>
  remove(): void
}

/** A parsed page. No script of it runs, and nothing that it refers to is fetched. */
export interface Page extends PageElement {
  readonly body: PageElement
  readonly documentElement: PageElement
}

/** A page's HTML without scripts, styles and drawings, and its JSON-LD data. */
export type Markup = { readonly html: string; readonly jsonLd: readonly string[] }

/** The maximum size of a page without its scripts, styles and drawings, and of its data. */
export const MAX_PAGE_CHARACTERS = 2_000_000
/**
 * The parser, the selectors and the text readers walk up from each element. More or deeper elements would block
 * the server.
 */
const MAX_TAGS = 40_000
const MAX_DEPTH = 256

/** Extracts the markup in one pass. An element that is never closed ends the page. */
export function extractMarkup(html: string): Markup {
  const opening = /<(script|style|svg)\b[^>]{0,2000}|<!--/gi
  const pieces: string[] = []
  const jsonLd: string[] = []
  let from = 0
  let remaining = MAX_PAGE_CHARACTERS
  for (let open = opening.exec(html); open; open = opening.exec(html)) {
    if (open[0].endsWith('/')) continue
    const closing = open[1] === undefined ? /-->/g : new RegExp(`</${open[1]}[^>]{0,100}>`, 'gi')
    closing.lastIndex = opening.lastIndex
    const closed = closing.exec(html)
    pieces.push(html.slice(from, open.index))
    from = closed ? closing.lastIndex : html.length
    if (/ld\+json/i.test(open[0])) {
      const data = html.slice(opening.lastIndex + 1, closed?.index).slice(0, remaining)
      remaining -= data.length
      jsonLd.push(data)
    }
    opening.lastIndex = from
  }
  return { html: (pieces.join('') + html.slice(from)).slice(0, MAX_PAGE_CHARACTERS), jsonLd }
}

/** Parses a page's HTML, or a piece of it. Returns the reason if it would take too much work to read. */
export function parsePage(html: string): Page | string {
  let tags = 0
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) tags += 1
  if (tags > MAX_TAGS) return `it has more than ${MAX_TAGS.toLocaleString('en-US')} tags`

  const page = parseDocument(html)
  for (const { node, depth } of nodes(page.documentElement)) {
    if (depth > MAX_DEPTH) return 'its elements are nested too deeply'
    shortenBlanks(node)
  }
  return page
}

function parseDocument(html: string): Page {
  const page = parseHTML(/<html[\s>]/i.test(html) ? html : wrapInBody(html)).document
  // A page that breaks off within its first tag has no elements at all.
  const whole =
    (page.documentElement as PageElement | null) === null ? parseHTML(wrapInBody('')).document : page
  return whole as Page
}

function wrapInBody(html: string): string {
  return `<!doctype html><html><body>${html}</body></html>`
}

/** Each node, and how deep it lies. Without recursion: the page decides how deep it is. */
function* nodes(
  root: PageElement,
): Generator<{ readonly node: PageElement & TextNode; readonly depth: number }> {
  let depth = 0
  let node: PageElement | null = root
  while (node) {
    yield { node: node as PageElement & TextNode, depth }
    if (node.firstChild) {
      node = node.firstChild
      depth += 1
      continue
    }
    while (node && node !== root && !node.nextSibling) {
      node = node.parentNode
      depth -= 1
    }
    node = node && node !== root ? node.nextSibling : null
  }
}

/** The text that a piece of HTML shows. */
export function htmlToText(html: string): string {
  return /[<&]/.test(html) ? parseDocument(html).body.textContent : html
}
