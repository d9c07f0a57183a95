export type { ResolvedAgent, Starting } from './ports.ts'
export { interruptRuns } from './interrupt-runs.ts'
export { runs, type Runs } from './runs.ts'
export { stateOf } from './shared-state.ts'
