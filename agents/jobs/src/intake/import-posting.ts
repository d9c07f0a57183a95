import { ServiceError, type ErrorCode } from 'dragoman/errors'
import { clock, type Clock } from '../clock.ts'
import type { Postings, Saved } from '../postings/postings.ts'
import type { PostingFetcher, PostingFetchResult } from './posting-fetcher.ts'

/** Reads the page of a URL and stores its posting. */
export interface PostingImport {
  /** @throws ServiceError with the reason if no posting can be read there; the signal's reason */
  run(userId: string, url: URL, signal: AbortSignal): Promise<Saved>
}

/** For the turn at its host, robots.txt and the page. */
const TIMEOUT_MS = 60_000

export function postingImport(
  postings: Pick<Postings, 'keep'>,
  fetcher: PostingFetcher,
  now: Clock['now'] = clock.now,
): PostingImport {
  return {
    async run(userId, url, signal) {
      const timeout = AbortSignal.timeout(TIMEOUT_MS)
      const result = await fetcher
        .find(userId, url, AbortSignal.any([signal, timeout]))
        .catch((error: unknown) => {
          throw timeout.aborted && !signal.aborted ? tooSlowError(url) : error
        })
      if (result.kind !== 'found') throw new ServiceError(codeOf(result), result.reason)
      const { page, movedTo = url } = result
      return postings.keep(userId, { ...page, url: movedTo }, now())
    },
  }
}

function codeOf(result: Exclude<PostingFetchResult, { kind: 'found' }>): ErrorCode {
  if (result.kind === 'failed') return result.code
  return result.kind === 'gone' ? 'not-found' : 'forbidden'
}

function tooSlowError({ host }: URL): ServiceError {
  return new ServiceError('timed-out', `The page of ${host} could not be read within a minute: try again.`)
}
