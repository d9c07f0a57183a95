export { processLog } from './process-log.ts'
export { telemetry } from './telemetry.ts'
