export type { AttemptActivity, RunActivity } from './attempt-tracker.ts'
export type { ToolCallActivity } from './tool-call-tracker.ts'
export type { ModelCallActivity } from './model-call-tracker.ts'
export { causeOf, createProcessLog, type ProcessLog } from './process-log.ts'
export {
  observeRuns,
  type ObserverPorts,
  type ObserverPlugin,
  type RunObserver,
  type ServerEvent,
} from './run-observers.ts'
