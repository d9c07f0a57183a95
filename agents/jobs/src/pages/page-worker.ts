import { serveWorker } from 'dragoman/isolate'
import { readPostingPage, type NamedFacts, type PagePosting } from './posting-page.ts'

/** The thread on which pages are read: a stranger wrote them, and may have written them to take long. */

/** `seenAt` is in ms since 1970. */
export type PageRequest = {
  readonly content: string
  readonly url: string
  readonly seenAt: number
  readonly named?: NamedFacts | undefined
}

serveWorker<PageRequest, PagePosting>(({ content, url, seenAt, named }) =>
  readPostingPage(content, new URL(url), new Date(seenAt), named),
)
