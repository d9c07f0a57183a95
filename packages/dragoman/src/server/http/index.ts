export {
  bringsToken,
  callers,
  comerOf,
  knownNames,
  type Admission,
  type Authenticate,
  type Caller,
  type CallerOf,
  type Comer,
} from './admission.ts'
export { httpApp } from './app.ts'
export type { HttpEnv } from './env.ts'
export { readJson, readJsonIfAny } from './body.ts'
export { deliver, deliverEvents, deliverText } from './delivery.ts'
export { knownOrigins, preflightHeaders, sharingHeaders } from './pages.ts'
export { proxies, type Proxies } from './peer.ts'
export { attachSockets, listen, type HttpServer, type Listening, type SocketServer } from './listen.ts'
export { refuse, refuseLine } from './refusal.ts'
export { valueCounter } from './value-count.ts'
