export { piEngine } from './engine.ts'
