export { agentStatus } from './agent-status.ts'
export { agUiApi } from './ag-ui.ts'
export { openQuestions } from './ag-ui-places.ts'
export { agUiRuns } from './ag-ui-runs.ts'
export { findRun, keyOf, runNameIn, type AgUiPorts, type Asking } from './ag-ui-start.ts'
export { PASSED_OVER } from './answering.ts'
export { auth } from './auth.ts'
export { toldBefore } from './before.ts'
export type { ChatOptions } from './chat-history.ts'
export { copilotKit } from './copilotkit.ts'
export type { Conversations, SurfaceServices } from './conversations.ts'
export { namedProtocol, type Dialects } from './dialect.ts'
export { guestClaim, type GuestClaimOptions } from './guest-claim.ts'
export { home } from './home.ts'
export { curlPost } from './curl-post.ts'
export { answersOf, conversationsOf, chatApi, type Manner } from './chat.ts'
export * as chatOperations from './chat-operations.ts'
export { nativeApi } from './native.ts'
export { usageRoutes } from './native-usage.ts'
export { openApi } from './openapi.ts'
export { pageQuery, readQuery } from './paging.ts'
export {
  afterQuery,
  cursorHeader,
  dialectHeader,
  idempotencyHeader,
  readingQuery,
  runAnswer,
  wholeAnswer,
} from './reading.ts'
export { cursorFrom, mustBeKept, replies } from './replies.ts'
export { startAndFollow } from './starting.ts'
export { streamedList } from './streamed-list.ts'
