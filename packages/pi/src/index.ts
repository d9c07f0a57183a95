export { piEngine } from './pi-engine.ts'
export type { PiHooks } from './pi-hooks.ts'
