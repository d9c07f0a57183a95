export {
  guestRequest,
  hasToken,
  callerResolver,
  requestInfo,
  createHostCheck,
  type CallerRules,
  type Authenticate,
  type Caller,
  type GuestAccess,
  type ResolveCaller,
  type RequestInfo,
} from './resolve-caller.ts'
export { createHttpApp } from './app.ts'
export { tokenCookie } from './token-cookie.ts'
export type { HttpEnv } from './http-env.ts'
export { readBodyText, readJson, readJsonIfAny } from './read-json.ts'
export {
  respondWithFeed as deliver,
  respondWithEvents as deliverEvents,
  respondWithText as deliverText,
} from './respond-with-feed.ts'
export { createOriginCheck, preflightHeaders, corsHeaders } from './cors.ts'
export { createTrustedProxies, type TrustedProxies } from './client-address.ts'
export { attachSockets, listen, type HttpServer, type Listening, type SocketServer } from './listen.ts'
export { sendError, sendErrorAndClose } from './send-error.ts'
export { createJsonValueCounter } from './json-value-counter.ts'
