export { createSafeFetch, type SafeFetchOptions } from './create-safe-fetch.ts'
export type { FetchResult, FetchOptions, SafeFetch } from './safe-fetch.ts'
