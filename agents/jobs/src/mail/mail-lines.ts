import { extractMarkup, parsePage } from '@dragoman/agent-kit/pages/page-markup'
import { toSingleLine } from '@dragoman/agent-kit/text/to-single-line'

/** A visible line of a mail, and the target of its link. */
export type MailLine = { readonly text: string; readonly href: string | null }

const MAX_LINES = 5000
const MAX_LENGTH = 300
const BLOCKS = new Set(
  (
    'ADDRESS ARTICLE BLOCKQUOTE BR CENTER DD DIV DL DT FOOTER H1 H2 H3 H4 H5 H6 HEADER HR LI MAIN OL P PRE ' +
    'SECTION TABLE TBODY TD TH TR UL'
  ).split(' '),
)

/** The fields of a DOM node. */
type DomNode = {
  readonly nodeType: number
  readonly nodeName: string
  readonly textContent: string
  readonly childNodes: Iterable<DomNode>
  getAttribute?(name: string): string | null
}

const ELEMENT = 1
const TEXT = 3

/** The lines of a mail's HTML; none if it is too large to read. */
export function linesOfHtml(html: string): readonly MailLine[] {
  const page = parsePage(extractMarkup(html).html)
  if (typeof page === 'string') return []
  const lines: MailLine[] = []
  let words = ''
  let href: string | null = null
  const flush = (): void => {
    const text = toSingleLine(words, MAX_LENGTH)
    if (text !== '' && lines.length < MAX_LINES) lines.push({ text, href })
    words = ''
  }
  // `parsePage` has limited the depth.
  const walk = (node: DomNode, link: string | null): void => {
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
  walk(page.body as unknown as DomNode, null)
  flush()
  return lines
}

/** Alerts begin with hidden words for the list of mails. */
function isHidden(node: DomNode): boolean {
  return (
    /^(STYLE|SCRIPT|TITLE|HEAD)$/.test(node.nodeName) ||
    /display\s*:\s*none/i.test(node.getAttribute?.('style') ?? '')
  )
}

/** The lines of a mail's plain text. A posting's URL is below its title, so each line links to the next URL. */
export function linesOfText(text: string): readonly MailLine[] {
  const lines: MailLine[] = []
  let block: string[] = []
  for (const each of text.split('\n').slice(0, MAX_LINES)) {
    const href = /https?:\/\/[^\s<>"“”]+/.exec(each)?.[0].replace(/(?<![),.;。，）])[),.;。，）]+$/, '')
    const words = toSingleLine(each.replace(/<?https?:\/\/\S+/g, ''), MAX_LENGTH)
    // Rules and empty lines separate postings.
    if (/^[-=_*~\s]*$/.test(each)) block = []
    else if (words !== '') block.push(words)
    if (href === undefined) continue
    lines.push(...block.map((line) => ({ text: line, href })))
    block = []
  }
  return lines
}
