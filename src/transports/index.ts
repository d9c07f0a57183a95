export { audience, type Audience } from './audience.ts'
export { readCursor, type Cursor } from './cursor.ts'
export { fanOut, type FanOut } from './fan-out.ts'
export { httpApp, listen, readJson, sse, type Admission, type HttpEnv, type Listening } from './http/index.ts'
