export type { Staff } from './claimed.ts'
export { runs, type Runs } from './runs.ts'
