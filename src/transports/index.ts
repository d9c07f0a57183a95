export { audience, type Audience } from './audience.ts'
export { readCursor, writeCursor, type Cursor } from './cursor.ts'
export { encodeEntries } from './encoded.ts'
export { fanOut, type FanOut, type Reading } from './fan-out.ts'
export { waiter, type Feed } from './feed.ts'
export {
  callers,
  comerOf,
  deliver,
  httpApp,
  isEncrypted,
  listen,
  readJson,
  readJsonIfAny,
  type Admission,
  type CallerOf,
  type HttpEnv,
  type Listening,
} from './http/index.ts'
export { shallow } from './shallow.ts'
export { socketIo, type Connection, type Heard, type SocketsOptions, type Take } from './socket-io/index.ts'
