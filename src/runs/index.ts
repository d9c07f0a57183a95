export type { Staff } from './claimed.ts'
export { rateLimit } from './rate-limit.ts'
export { runs, type Runs } from './runs.ts'
export { stateOf } from './shared-state.ts'
