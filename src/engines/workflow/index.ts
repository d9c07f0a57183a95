export { workflowEngine } from './engine.ts'
