export { outward, type OutwardOptions } from './fetching.ts'
export type { Fetched, FetchOptions, Outward } from './outward.ts'
