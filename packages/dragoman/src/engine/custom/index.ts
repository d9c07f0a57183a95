export { customEngine, type CustomStream } from './custom-engine.ts'
export type { CustomJob, CustomMessage, CustomPart } from './custom-job.ts'
