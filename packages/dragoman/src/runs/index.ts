export type { ResolvedAgent, RunsOptions, Starting } from './ports.ts'
export { interruptRuns } from './interrupt-runs.ts'
export { runs, type Runs } from './runs.ts'
export { stateOf } from './shared-state.ts'
