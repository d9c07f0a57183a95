import { extractMarkup, parsePage } from '@dragoman/agent-kit/pages/page-markup'
import { toSingleLine } from '@dragoman/agent-kit/text/to-single-line'

/** A line of a mail as it is seen, and where a click on it leads. */
export type Line = { readonly text: string; readonly href: string | null }

const MAX_LINES = 5000
const MAX_LENGTH = 300
const BLOCKS = new Set(
  (
    'ADDRESS ARTICLE BLOCKQUOTE BR CENTER DD DIV DL DT FOOTER H1 H2 H3 H4 H5 H6 HEADER HR LI MAIN OL P PRE ' +
    'SECTION TABLE TBODY TD TH TR UL'
  ).split(' '),
)

/** As much of a node as is looked at here. */
type ParseState = {
  readonly nodeType: number
  readonly nodeName: string
  readonly textContent: string
  readonly childNodes: Iterable<ParseState>
  getAttribute?(name: string): string | null
}

const ELEMENT = 1
const TEXT = 3

/** The lines of a mail's HTML. One that would take too much work to read has none. */
export function linesOfHtml(html: string): readonly Line[] {
  const page = parsePage(extractMarkup(html).html)
  if (typeof page === 'string') return []
  const lines: Line[] = []
  let words = ''
  let href: string | null = null
  const flush = (): void => {
    const text = toSingleLine(words, MAX_LENGTH)
    if (text !== '' && lines.length < MAX_LINES) lines.push({ text, href })
    words = ''
  }
  // No deeper than a page that could be opened.
  const walk = (node: ParseState, link: string | null): void => {
    if (node.nodeType === TEXT) {
      if (link !== href) flush()
      href = link
      words += node.textContent
      return
    }
    if (node.nodeType !== ELEMENT || isHidden(node)) return
    const block = BLOCKS.has(node.nodeName)
    if (block) flush()
    const own = node.nodeName === 'A' ? (node.getAttribute?.('href') ?? null) : link
    for (const child of node.childNodes) walk(child, own)
    if (block) flush()
  }
  walk(page.body as unknown as ParseState, null)
  flush()
  return lines
}

/** Alerts begin with words that only the list of mails shows. */
function isHidden(node: ParseState): boolean {
  return (
    /^(STYLE|SCRIPT|TITLE|HEAD)$/.test(node.nodeName) ||
    /display\s*:\s*none/i.test(node.getAttribute?.('style') ?? '')
  )
}

/**
 * The lines of a mail's plain text. In it a posting's address stands below its title: each line leads where the next
 * address leads.
 */
export function linesOfText(text: string): readonly Line[] {
  const lines: Line[] = []
  let block: string[] = []
  for (const each of text.split('\n').slice(0, MAX_LINES)) {
    const href = /https?:\/\/[^\s<>"“”]+/.exec(each)?.[0].replace(/[),.;。，）]+$/, '')
    const words = toSingleLine(each.replace(/<?https?:\/\/\S+/g, ''), MAX_LENGTH)
    // A rule parts two postings, an empty line two paragraphs.
    if (/^[-=_*~\s]*$/.test(each)) block = []
    else if (words !== '') block.push(words)
    if (href === undefined) continue
    lines.push(...block.map((line) => ({ text: line, href })))
    block = []
  }
  return lines
}
