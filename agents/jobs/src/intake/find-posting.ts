import { isServiceError, ServiceError } from 'dragoman/errors'
import type { FetchResult, SafeFetch } from 'dragoman/safe-fetch'
import { boardPosting } from '../boards/boards.ts'
import { clock as usual, type Clock } from '../clock.ts'
import { canonicalUrl } from '../pages/canonical-url.ts'
import type { PagePosting } from '../pages/posting-page.ts'
import { readPage } from '../pages/read-page.ts'
import { siteOf } from '../pages/sites/sites.ts'
import { pace, type Pace } from './pace.ts'
import { robots, type Robots } from './robots.ts'

/** What came of looking for a posting at its address. The reasons are for the user. */
export type Finding =
  /** `movedTo`: where the address led instead. */
  | { readonly kind: 'found'; readonly page: PagePosting; readonly movedTo?: URL }
  /** It was there once, and is no more. */
  | { readonly kind: 'gone'; readonly reason: string }
  /** Nobody was asked: it would be of no use, or is not wanted. */
  | { readonly kind: 'barred'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string }

/** Looks for postings at their addresses, politely. */
export interface Finder {
  /** @throws the signal's reason; what nobody foresaw */
  find(url: URL, signal: AbortSignal): Promise<Finding>
}

const PAGE_TYPES = /^(?:text\/html|application\/xhtml\+xml|text\/plain)?$/
const MAX_PAGE_BYTES = 5_000_000

/** What looking takes. */
type Means = {
  readonly outward: SafeFetch
  readonly pace: Pace
  readonly robots: Robots
  readonly now: Clock['now']
}

/** Asks a public board where the address is of one, else reads the page, if robots.txt lets us. */
export function finder(outward: SafeFetch, clock: Clock = usual): Finder {
  const { now } = clock
  const means: Means = { outward, pace: pace(clock), robots: robots(outward, now), now }

  return {
    async find(url, signal) {
      signal.throwIfAborted()
      try {
        const posting = await fromBoard(means, url, signal)
        if (posting) return posting
        const walledSite = siteOf(url)?.browsersOnly
        if (walledSite !== undefined) {
          return { kind: 'barred', reason: `${walledSite} shows its postings to browsers only. ${BY_HAND}` }
        }
        return await fromPage(means, url, signal)
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof ServiceError) return { kind: 'failed', reason: error.message }
        throw error
      }
    },
  }
}

/** Nothing, if the address is of none, or the board cannot tell now: then its page may. */
async function fromBoard(
  { outward, pace: { turn } }: Means,
  url: URL,
  signal: AbortSignal,
): Promise<Finding | undefined> {
  const address = boardPosting(url)
  if (!address) return undefined
  await turn(address.board.kind, 0, signal)
  try {
    return { kind: 'found', page: await address.board.posting({ outward, signal }, address.slug, address.id) }
  } catch (error) {
    signal.throwIfAborted()
    if (isServiceError(error, 'not-found')) return { kind: 'gone', reason: error.message }
    if (error instanceof ServiceError) return undefined
    throw error
  }
}

async function fromPage(means: Means, url: URL, signal: AbortSignal): Promise<Finding> {
  const { allows, delayMs } = await means.robots.of(url, signal)
  if (!allows) {
    return {
      kind: 'barred',
      reason: `${url.host} does not let programs fetch this page (robots.txt). ${BY_HAND}`,
    }
  }
  await means.pace.turn(url.host, delayMs, signal)
  const found = await means.outward.get(url, {
    signal,
    accept: 'text/html, text/plain;q=0.5',
    maxBytes: MAX_PAGE_BYTES,
  })
  if (found.status === 404 || found.status === 410) {
    return { kind: 'gone', reason: `The page is gone (${found.status}).` }
  }
  const reason = unfit(found)
  if (reason !== undefined) return { kind: 'failed', reason }
  const page = await readPage(found.text, found.url, { seenAt: means.now() })
  const moved = canonicalUrl(found.url) !== canonicalUrl(url)
  return { kind: 'found', page, ...(moved && { movedTo: found.url }) }
}

function unfit({ url, status, type }: FetchResult): string | undefined {
  if (status !== 200) return `${url.host} answered with status ${status}.`
  return PAGE_TYPES.test(type) ? undefined : `The page is ${type}, which is not read.`
}

const BY_HAND = 'Open it in your browser and send the page with POST /jobs/ingest.'
