import { answerAside } from '../../../aside.ts'
import { ServiceError } from '../../../errors.ts'
import { markupOf, openPage } from '../../pages/page-markup.ts'
import { readableText } from '../../pages/readable-text.ts'
import { oneLine } from '../../words/one-line.ts'

/** The thread on which pages are read: a stranger wrote them, and may have written them to take long. */

export type PageText = { readonly title: string; readonly text: string }

answerAside<{ readonly html: string }, PageText>(({ html }) => {
  const page = openPage(markupOf(html).html)
  if (typeof page === 'string') throw new ServiceError('invalid-input', `The page cannot be read: ${page}.`)
  const title = oneLine(page.querySelector('title')?.textContent ?? '', 300)
  return { title, text: readableText(page) }
})
