import { answerAside } from '@dragoman/agent-kit/isolate/aside'
import { ServiceError } from 'dragoman/errors'
import { markupOf, openPage } from '@dragoman/agent-kit/pages/page-markup'
import { readableText } from '@dragoman/agent-kit/pages/readable-text'
import { oneLine } from '@dragoman/agent-kit/words/one-line'

/** The thread on which pages are read: a stranger wrote them, and may have written them to take long. */

export type PageText = { readonly title: string; readonly text: string }

answerAside<{ readonly html: string }, PageText>(({ html }) => {
  const page = openPage(markupOf(html).html)
  if (typeof page === 'string') throw new ServiceError('invalid-input', `The page cannot be read: ${page}.`)
  const title = oneLine(page.querySelector('title')?.textContent ?? '', 300)
  return { title, text: readableText(page) }
})
