import { aside } from '@dragoman/agent-kit/isolate/aside'
import { ServiceError } from 'dragoman/errors'
import type { City, CityQuery } from './cities.ts'

const MOST_WAITING = 100
const BUSY = 'Too many places are looked up at the moment.'
const BUSY_IN_CHINESE = '现在查地点的人有点多，请稍后再试。'
const busy = (): ServiceError =>
  new ServiceError('unavailable', BUSY, { retryAfter: 5, translations: { zh: BUSY_IN_CHINESE } })

/** Asks the list of the world's towns, on a thread that is there while it is needed: its list is 50 MB of memory. */
export function cityThread(): (query: CityQuery) => Promise<readonly City[]> {
  return aside<CityQuery, readonly City[]>({
    module: new URL('./cities-worker', import.meta.url),
    weigh: () => 1,
    most: { waiting: MOST_WAITING, weight: MOST_WAITING, megabytes: 512 },
    withinMs: 10_000,
    idleMs: 120_000,
    refusals: { busy: BUSY, busyTranslations: { zh: BUSY_IN_CHINESE }, slow: busy, large: busy },
  })
}
