export { readCursor, type Cursor } from './cursor.ts'
export { fanOut, type FanOut } from './fan-out.ts'
export { httpApp, readJson, sse, type HttpEnv } from './http/index.ts'
