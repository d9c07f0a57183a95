import { Readability } from '@mozilla/readability'

import { toSingleLine } from '../text/to-single-line.ts'
import { toMarkdown } from './to-markdown.ts'
import type { Page } from './page-markup.ts'

const NOT_TEXT = 'body > header, nav, footer, aside, form, dialog, noscript, iframe'

/** Reads a page's own text as Markdown. It takes the page apart: read all else before. */
export function extractReadableText(page: Page): string {
  for (const each of page.querySelectorAll(NOT_TEXT)) each.remove()
  const main = page.querySelector('main, article, [role="main"]') ?? page.body
  const { innerHTML } = main
  const whole = toSingleLine(main.textContent).length
  const article = new Readability(page, { disableJSONLD: true }).parse()
  // It takes lists of demands for menus. Rather too much than too little: if it drops a third, the page is read
  // as it is.
  const isComplete = toSingleLine(article?.textContent ?? '').length * 3 >= whole * 2
  return toMarkdown((isComplete && article?.content) || innerHTML)
}
