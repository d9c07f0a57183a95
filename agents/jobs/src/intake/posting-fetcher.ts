import { isServiceError, ServiceError, type ErrorCode } from 'dragoman/errors'
import type { FetchResult, SafeFetch } from 'dragoman/safe-fetch'
import { boardPosting } from '../boards/boards.ts'
import { clock as usual, type Clock } from '../clock.ts'
import { canonicalUrl } from '../pages/canonical-url.ts'
import type { PagePosting } from '../pages/posting-page.ts'
import { readPage } from '../pages/read-page.ts'
import { siteOf } from '../pages/sites/sites.ts'
import { createRequestPacer, type RequestPacer } from './request-pacer.ts'
import { robots, type Robots } from './robots.ts'

/** The result of reading a posting at its URL. Reasons are for the user. */
export type PostingFetchResult =
  /** `movedTo` is the URL that the address led to instead. */
  | { readonly kind: 'found'; readonly page: PagePosting; readonly movedTo?: URL }
  /** It no longer exists. */
  | { readonly kind: 'gone'; readonly reason: string }
  /** It was not fetched: the site does not allow it, or shows it to browsers only. */
  | { readonly kind: 'barred'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string; readonly code: ErrorCode }

/** Reads postings at their URLs, for a user. */
export interface PostingFetcher {
  /** @throws the signal's reason; unforeseen errors */
  find(userId: string, url: URL, signal: AbortSignal): Promise<PostingFetchResult>
}

const PAGE_TYPES = /^(?:text\/html|application\/xhtml\+xml|text\/plain)?$/
const MAX_PAGE_BYTES = 5_000_000

type Ports = {
  readonly outward: SafeFetch
  readonly pace: RequestPacer
  readonly robots: Robots
  readonly now: Clock['now']
}

type Task = { readonly userId: string; readonly url: URL; readonly signal: AbortSignal }

/** Asks a public board if the URL belongs to one, else reads the page if robots.txt allows it. */
export function createPostingFetcher(outward: SafeFetch, clock: Clock = usual): PostingFetcher {
  const { now } = clock
  const ports: Ports = { outward, pace: createRequestPacer(clock), robots: robots(outward, now), now }

  return {
    async find(userId, url, signal) {
      const task = { userId, url, signal }
      signal.throwIfAborted()
      try {
        const posting = await fromBoard(ports, task)
        if (posting) return posting
        const walledSite = siteOf(url)?.browsersOnly
        if (walledSite !== undefined) {
          return { kind: 'barred', reason: `${walledSite} shows its postings to browsers only. ${BY_HAND}` }
        }
        return await fromPage(ports, task)
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof ServiceError) {
          return { kind: 'failed', reason: error.message, code: error.code }
        }
        throw error
      }
    },
  }
}

/** Undefined if the URL belongs to no board, or if the board fails: then the page is read. */
async function fromBoard(
  { outward, pace: { turn } }: Ports,
  { userId, url, signal }: Task,
): Promise<PostingFetchResult | undefined> {
  const address = boardPosting(url)
  if (!address) return undefined
  await turn({ host: address.board.kind, userId }, 0, signal)
  try {
    const page = await address.board.posting({ outward, userId, signal }, address.slug, address.id)
    return { kind: 'found', page }
  } catch (error) {
    signal.throwIfAborted()
    if (isServiceError(error, 'not-found')) return { kind: 'gone', reason: error.message }
    if (error instanceof ServiceError) return undefined
    throw error
  }
}

async function fromPage(ports: Ports, { userId, url, signal }: Task): Promise<PostingFetchResult> {
  const { allows, delayMs } = await ports.robots.of(userId, url, signal)
  if (!allows) {
    return {
      kind: 'barred',
      reason: `${url.host} does not let programs fetch this page (robots.txt). ${BY_HAND}`,
    }
  }
  await ports.pace.turn({ host: url.host, userId }, delayMs, signal)
  const found = await ports.outward.get(url, {
    userId,
    signal,
    accept: 'text/html, text/plain;q=0.5',
    maxBytes: MAX_PAGE_BYTES,
  })
  if (found.status === 404 || found.status === 410) {
    return { kind: 'gone', reason: `The page is gone (${found.status}).` }
  }
  const failure = unfit(found)
  if (failure) return failure
  const page = await readPage(userId, found.text, found.url, { seenAt: ports.now() })
  const moved = canonicalUrl(found.url) !== canonicalUrl(url)
  return { kind: 'found', page, ...(moved && { movedTo: found.url }) }
}

function unfit({ url, status, type }: FetchResult): PostingFetchResult | undefined {
  if (status !== 200) {
    return { kind: 'failed', reason: `${url.host} answered with status ${status}.`, code: 'unavailable' }
  }
  if (PAGE_TYPES.test(type)) return undefined
  return { kind: 'failed', reason: `The page is ${type}, which is not read.`, code: 'invalid-request' }
}

const BY_HAND = 'Open it in your browser and send the page with POST /jobs/ingest.'
