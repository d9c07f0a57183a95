export { processLog, type ProcessLog } from './process-log.ts'
