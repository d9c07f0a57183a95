export type { Staff } from './runner.ts'
export { runs, type Runs, type StartRequest } from './runs.ts'
