import { parseHTML } from 'linkedom'

/** As much of a page's element as is looked at here. */
export interface PageElement {
  readonly nodeType: number
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

/** A page's document, parsed and nothing more: no script of it runs and nothing that it names is fetched. */
export interface Page extends PageElement {
  readonly body: PageElement
}

/** What is read of a page at most, once its scripts, styles and drawings are gone. */
const MOST_CHARACTERS = 2_000_000
const MOST_ELEMENTS = 15_000
/** The readers of text call themselves once a level, and look upwards from each: a deeper page would hold up the server. */
const MOST_LEVELS = 256

/** Opens a page's HTML, or a piece of one. */
export function openPage(html: string): Page {
  const lean = withoutBulk(html).slice(0, MOST_CHARACTERS)
  const whole = /<html[\s>]/i.test(lean) ? lean : `<!doctype html><html><body>${lean}</body></html>`
  return parseHTML(whole).document as Page
}

/** Why a page's text cannot be read with a bounded amount of work; undefined if it can. */
export function tooMuchIn(page: Page): string | undefined {
  let elements = 0
  for (const depth of depths(page)) {
    elements += 1
    if (depth > MOST_LEVELS) return 'its elements are nested too deeply'
    if (elements > MOST_ELEMENTS) return `it has more than ${MOST_ELEMENTS.toLocaleString('en-US')} elements`
  }
  return undefined
}

/** How deep each node lies. Without recursion: the page decides how deep it is. */
function* depths(root: PageElement): Generator<number> {
  let depth = 0
  let node: PageElement | null = root
  while (node) {
    yield depth
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

/** One pass over the text; what is never closed ends it. JSON-LD is the one kind of script that is kept. */
function withoutBulk(html: string): string {
  const opening = /<(script|style|svg)\b[^>]{0,2000}|<!--/gi
  const kept: string[] = []
  let from = 0
  for (;;) {
    const open = opening.exec(html)
    if (!open) return kept.join('') + html.slice(from)
    if (open[0].endsWith('/')) continue

    const closing = open[1] === undefined ? /-->/g : new RegExp(`</${open[1]}[^>]{0,100}>`, 'gi')
    closing.lastIndex = opening.lastIndex
    const data = open[0].toLowerCase().includes('ld+json')
    kept.push(html.slice(from, open.index))
    if (!closing.test(html)) return kept.join('')
    if (data) kept.push(html.slice(open.index, closing.lastIndex))
    from = closing.lastIndex
    opening.lastIndex = from
  }
}

/** The words of a text in which HTML may stand, on one line. */
export function plainText(text: string): string {
  const words = /[<&]/.test(text) ? openPage(text).body.textContent : text
  return words.replace(/\s+/g, ' ').trim()
}
