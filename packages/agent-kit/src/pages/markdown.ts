import Turndown from 'turndown'

import { markupOf, openPage, textOf } from './page-markup.ts'

/** A text is kept so far. */
export const MOST_CHARACTERS = 60_000
/** More HTML than this is not one page's text. */
const MOST_HTML = 400_000

const TAG = /<[a-z][^<>]{0,2000}>/i
const TAGS = /<[^<>]{0,2000}>/g

const turndown = new Turndown({ headingStyle: 'atx', bulletListMarker: '-', codeBlockStyle: 'fenced' })
  .remove(['script', 'style', 'noscript', 'iframe', 'form', 'button', 'template'] as Turndown.Filter)
  .addRule('picture', { filter: ['img'], replacement: () => '' })
  .addRule('link', {
    filter: ['a'],
    // An address of another kind might run something when the description is shown.
    replacement: (words, node) => {
      const href = node.getAttribute('href') ?? ''
      return /^(https?:|mailto:)[^\s()]+$/i.test(href) && words.trim() !== ''
        ? `[${words.trim()}](${href})`
        : words
    },
  })

/** Turns HTML into Markdown. It may be escaped once more than it should be, or be plain text. */
export function toMarkdown(html: string): string {
  const text = unescaped(html.slice(0, MOST_HTML))
  if (!TAG.test(text)) return tidy(decoded(text))

  const { html: lean } = markupOf(text)
  const page = openPage(lean)
  return tidy(
    typeof page === 'string'
      ? decoded(lean.replace(TAGS, ' '))
      : turndown.turndown(page.body as Turndown.Node),
  )
}

/** Some boards escape their HTML, and some of these escape it twice. */
function unescaped(text: string): string {
  let read = text
  for (let times = 0; times < 2 && !/<[a-z/]/i.test(read) && /&(amp;)?lt;\/?[a-z]/i.test(read); times += 1) {
    read = decoded(read)
  }
  return read
}

/** A tag's sign is written so that the parser sees text in it, and nothing but text. */
function decoded(text: string): string {
  return textOf(text.replaceAll(/</g, '&lt;'))
}

function tidy(markdown: string): string {
  return markdown
    .split('\n')
    .map((line) => line.trimEnd().replace(/^(\s*-) {2,}/, '$1 '))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
    .slice(0, MOST_CHARACTERS)
}
