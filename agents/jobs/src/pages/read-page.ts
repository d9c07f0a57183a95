import { createIsolatedWorker } from 'dragoman/isolate'
import type { PageRequest } from './page-worker.ts'
import type { NamedFacts, PagePosting } from './posting-page.ts'
import { unreadable } from './unreadable.ts'

const read = createIsolatedWorker<PageRequest, PagePosting>({
  module: new URL('./page-worker', import.meta.url),
  sizeOf: ({ content }) => content.length,
  limits: {
    waiting: 32,
    /** In characters. */
    weight: 64_000_000,
    /**
     * The last resort, for it takes seconds to come so far. What is read of a page (page-markup.ts) is bounded
     * so that no page that we know needs half of this.
     */
    megabytes: 512,
  },
  /** A page of the usual kind takes a few hundredths of this. */
  timeoutMs: 10_000,
  refusals: {
    busy: 'Too many pages are waiting to be read.',
    slow: () => unreadable('it takes too long to read'),
    large: () => unreadable('it takes too much memory'),
  },
})

/** How a page is read: when it was looked at, from which `two days ago` counts; and how long it may take. */
export type ReadingOptions = {
  readonly seenAt?: Date | undefined
  readonly withinMs?: number
  readonly named?: NamedFacts | undefined
}

/**
 * Reads the posting on a page, for a user. @throws ServiceError `invalid-request`, with the reason;
 * `rate-limited` or `unavailable` if too many wait already
 */
export function readPage(
  userId: string,
  content: string,
  url: URL,
  { seenAt = new Date(), withinMs, named }: ReadingOptions = {},
): Promise<PagePosting> {
  return read(userId, { content, url: url.href, seenAt: seenAt.getTime(), named }, withinMs)
}
