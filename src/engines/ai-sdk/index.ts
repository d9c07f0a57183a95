export { aiSdkEngine } from './engine.ts'
