import Turndown from 'turndown'

import { extractMarkup, parsePage, htmlToText } from './page-markup.ts'

/** The maximum size of the result. */
export const MAX_MARKDOWN_CHARACTERS = 60_000
/** More HTML than this is not one page's text. */
const MAX_HTML_CHARACTERS = 400_000

const TAG = /<[a-z][^<>]{0,2000}>/i
const TAGS = /<[^<>]{0,2000}>/g

const turndown = new Turndown({ headingStyle: 'atx', bulletListMarker: '-', codeBlockStyle: 'fenced' })
  .remove(['script', 'style', 'noscript', 'iframe', 'form', 'button', 'template'] as Turndown.Filter)
  .addRule('picture', { filter: ['img'], replacement: () => '' })
  .addRule('link', {
    filter: ['a'],
    // Other kinds of addresses could run code when the description is shown.
    replacement: (words, node) => {
      const href = node.getAttribute('href') ?? ''
      return /^(https?:|mailto:)[^\s()]+$/i.test(href) && words.trim() !== ''
        ? `[${words.trim()}](${href})`
        : words
    },
  })

/** Converts HTML to Markdown. The input may be plain text, or may be escaped once or twice too often. */
export function toMarkdown(html: string): string {
  const text = unescapeTags(html.slice(0, MAX_HTML_CHARACTERS))
  if (!TAG.test(text)) return tidy(decodeEntities(text))

  const { html: lean } = extractMarkup(text)
  const page = parsePage(lean)
  return tidy(
    typeof page === 'string'
      ? decodeEntities(lean.replace(TAGS, ' '))
      : turndown.turndown(page.body as Turndown.Node),
  )
}

/** Some boards escape their HTML, and some of these escape it twice. */
function unescapeTags(text: string): string {
  let result = text
  for (
    let times = 0;
    times < 2 && !/<[a-z/]/i.test(result) && /&(amp;)?lt;\/?[a-z]/i.test(result);
    times += 1
  ) {
    result = decodeEntities(result)
  }
  return result
}

/** A tag's sign is written so that the parser sees text in it, and nothing but text. */
function decodeEntities(text: string): string {
  return htmlToText(text.replaceAll(/</g, '&lt;'))
}

function tidy(markdown: string): string {
  return markdown
    .split('\n')
    .map((line) => line.trimEnd().replace(/^(\s*-) {2,}/, '$1 '))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
    .slice(0, MAX_MARKDOWN_CHARACTERS)
}
