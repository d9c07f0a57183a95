import { createIsolatedWorker, type IsolatedWorker } from 'dragoman/isolate'
import { ServiceError } from 'dragoman/errors'
import type { Region } from './gazetteer.ts'

/** A city of the world's list. `admin` is GeoNames' code of its state or province. */
export type City = {
  readonly name: string
  readonly country: string
  readonly admin: string
  readonly population: number
  readonly latitude: number
  readonly longitude: number
}

export type CityQuery = {
  /** In letters, or in Chinese: then cities whose names sound so are found. */
  readonly name: string
  /** Of each group, one region contains the city. */
  readonly within: readonly (readonly Region[])[]
}

const MAX_WAITING = 100
const BUSY = 'Too many places are looked up at the moment.'
const BUSY_CHINESE = '现在查地点的人有点多，请稍后再试。'
const busy = (): ServiceError =>
  new ServiceError('unavailable', BUSY, { retryAfter: 5, translations: { zh: BUSY_CHINESE } })

/** Looks cities up in a process of its own, which runs while it is needed: the list takes 50 MB of memory. */
export function cityLookup(): IsolatedWorker<CityQuery, readonly City[]> {
  return createIsolatedWorker<CityQuery, readonly City[]>({
    module: new URL('./city-worker', import.meta.url),
    sizeOf: () => 1,
    limits: { waiting: MAX_WAITING, weight: MAX_WAITING, megabytes: 512 },
    timeoutMs: 10_000,
    idleTimeoutMs: 120_000,
    refusals: { busy: BUSY, busyTranslations: { zh: BUSY_CHINESE }, slow: busy, large: busy },
  })
}
