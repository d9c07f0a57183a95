export { createHostCheck } from './check-host.ts'
export { hasToken, requestInfo, type RequestInfo } from './request-info.ts'
export {
  cookieRequest,
  guestRequest,
  callerResolver,
  isUserId,
  type CallerRules,
  type Authenticate,
  type Caller,
  type GuestAccess,
  type ResolveCaller,
} from './resolve-caller.ts'
export { createHttpApp, type AppOptions } from './app.ts'
export { readSessionCookie, removedTokenCookie, sessionCookie, type CookieRequest } from './session-cookie.ts'
export { belowBasePath } from './base-path.ts'
export type { HttpEnv, SocketCaller } from './http-env.ts'
export { readUpload } from './read-upload.ts'
export { readBodyText, readChatJson, readJson, readJsonIfAny } from './read-json.ts'
export { respondWithFeed as deliver, respondWithEvents as deliverEvents } from './respond-with-feed.ts'
export { createPageReader, type PageReader } from '../load/index.ts'
export { respondWithPages as deliverPages, type AnswerPage } from './respond-with-pages.ts'
export { createOriginCheck, preflightHeaders, corsHeaders } from './cors.ts'
export { createTrustedProxies, type TrustedProxies } from './client-address.ts'
export { attachSockets, listen, type HttpServer, type Listening, type SocketServer } from './listen.ts'
export { sendError, sendErrorAndClose } from './send-error.ts'
export { createJsonValueCounter, limitChatValues, MAX_CHAT_VALUES } from './json-value-counter.ts'
