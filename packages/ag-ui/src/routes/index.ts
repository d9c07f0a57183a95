export { createAgUiRuns } from './ag-ui-runs.ts'
export { openQuestions, rangeAfterAnswer } from './log-ranges.ts'
export { findRun, runKey, runNameOf, type AgUiPorts, type AgUiRunOptions } from './start-run.ts'
