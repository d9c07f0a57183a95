export { processLog } from './process-log.ts'
export { telemetry, type Telemetry } from './telemetry.ts'
