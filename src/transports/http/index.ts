export { httpApp, type HttpEnv } from './app.ts'
export { readJson } from './body.ts'
export { sse } from './sse.ts'
