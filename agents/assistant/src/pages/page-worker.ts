import { serveWorker } from 'dragoman/isolate'
import { ServiceError } from 'dragoman/errors'
import { extractMarkup, parsePage } from '@dragoman/agent-kit/pages/page-markup'
import { extractReadableText } from '@dragoman/agent-kit/pages/extract-readable-text'
import { toSingleLine } from '@dragoman/agent-kit/text/to-single-line'

/** The thread on which pages are read: a stranger wrote them, and may have written them to take long. */

export type PageText = { readonly title: string; readonly text: string }

serveWorker<{ readonly html: string }, PageText>(({ html }) => {
  const page = parsePage(extractMarkup(html).html)
  if (typeof page === 'string') throw new ServiceError('invalid-input', `The page cannot be read: ${page}.`)
  const title = toSingleLine(page.querySelector('title')?.textContent ?? '', 300)
  return { title, text: extractReadableText(page) }
})
