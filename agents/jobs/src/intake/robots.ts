import { ServiceError, isServiceError } from 'dragoman/errors'
import type { FetchOptions, SafeFetch } from 'dragoman/safe-fetch'
import { createIsolatedWorker } from 'dragoman/isolate'
import type { Clock } from '../clock.ts'
import type { RobotsPermission } from './robots-rules.ts'
import type { RobotsRequest } from './robots-worker.ts'

/** The name of our crawler in robots.txt: the first word of the user agent. */
const CRAWLER = 'dragoman'

const HOUR_MS = 60 * 60 * 1000
const MAX_BYTES = 1_000_000
const WITHIN_MS = 10_000
const MAX_ORIGINS = 100
const MAX_CHARACTERS = 500_000

const readRules = createIsolatedWorker<RobotsRequest, RobotsPermission>({
  module: new URL('./robots-worker', import.meta.url),
  sizeOf: ({ text }) => text.length,
  limits: { waiting: 64, weight: 32_000_000, megabytes: 256 },
  timeoutMs: 5000,
  refusals: {
    busy: 'Too many sites are waiting to be asked what may be fetched.',
    slow: () => new ServiceError('unavailable', 'The robots.txt of the site takes too long to read.'),
    large: () => new ServiceError('unavailable', 'The robots.txt of the site takes too much memory to read.'),
  },
})

/** What sites let the server fetch. */
export interface Robots {
  /**
   * Whether a page may be fetched for a user.
   * @throws ServiceError `unavailable` if the site cannot say so now; `forbidden` for a private address
   */
  of(userId: string, url: URL, signal: AbortSignal): Promise<RobotsPermission>
}

/** Reads the robots.txt of each site, and caches it for an hour. */
export function robots(outward: SafeFetch, now: Clock['now']): Robots {
  const cache = new Map<string, { readonly text: string; readonly until: number }>()

  return {
    async of(userId, { origin, pathname, search }, signal) {
      const entry = cache.get(origin)
      const path = pathname + search
      if (entry && entry.until > now().getTime()) return permissionIn(userId, entry.text, path)
      const text = await read(outward, new URL('/robots.txt', origin), { userId, signal })
      cache.delete(origin)
      const [oldest] = cache.keys()
      if (cache.size >= MAX_ORIGINS && oldest !== undefined) cache.delete(oldest)
      cache.set(origin, { text, until: now().getTime() + HOUR_MS })
      return permissionIn(userId, text, path)
    },
  }
}

async function permissionIn(userId: string, text: string, path: string): Promise<RobotsPermission> {
  return text === '' ? { allows: true, delayMs: 0 } : readRules(userId, { text, crawler: CRAWLER, path })
}

/** A site without a file (4xx) allows everything; a site that fails allows nothing. */
async function read(
  outward: SafeFetch,
  url: URL,
  by: Pick<FetchOptions, 'userId' | 'signal'>,
): Promise<string> {
  const found = await outward
    .get(url, { ...by, accept: 'text/plain, */*;q=0.1', maxBytes: MAX_BYTES, timeoutMs: WITHIN_MS })
    .catch((error: unknown) => {
      by.signal.throwIfAborted()
      if (isServiceError(error, 'forbidden')) throw error
      throw unknown(url, error)
    })
  if (found.status === 429 || found.status >= 500) throw unknown(url)
  return found.status === 200 ? found.text.slice(0, MAX_CHARACTERS) : ''
}

function unknown({ host }: URL, cause?: unknown): ServiceError {
  return new ServiceError('unavailable', `${host} cannot say now what may be fetched of it (robots.txt).`, {
    cause,
  })
}
