export { piEngine } from './engine.ts'
export type { PiHooks } from './hooks.ts'
