export { createSafeFetch, type SafeFetchOptions } from './create-safe-fetch.ts'
export type { DownloadPlace, FetchResult, FetchOptions, SafeFetch } from './safe-fetch.ts'
