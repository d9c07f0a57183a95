export { agentStatusRoutes } from './chat/agent-status.ts'
export { giveAnswers, isLateAnswer } from './give-answers.ts'
export { pairRoutes, type PairOptions } from './auth/pair.ts'
export { signInRoutes, type SignInOptions } from './auth/sign-in.ts'
export { verifyTokenRoutes } from './auth/verify-token.ts'
export { historyPreamble, MAX_HISTORY_BYTES, readMessages, sizeOf } from './history-preamble.ts'
export type { ChatOptions } from './chat/history.ts'
export type { Conversations, ServerProtocol, Surface, SurfaceServices } from './surface-services.ts'
export { namedProtocol, type Protocols } from './select-protocol.ts'
export { guestClaimRoutes, type GuestClaimOptions } from './auth/guest-claim.ts'
export { disconnectQuery, endsWithCaller } from './ends-with-caller.ts'
export { healthRoutes } from './health/routes.ts'
export { pageRoutes } from './page/routes.ts'
export { offerViews, viewRoutes } from './page/view-routes.ts'
export { answerRoutes, conversationRoutes, chatRoutes, type ChatVariant } from './chat/routes.ts'
export * as chatOperations from './chat/openapi.ts'
export { agentRoutes, type OfferedAgent } from './v1/agents.ts'
export { ownerRoutes, type OwnerOptions } from './v1/owner.ts'
export { mcpRoutes, type McpSignIns } from './v1/mcp.ts'
export { providerRoutes, type ProviderChanges, type ProviderKeys } from './v1/providers.ts'
export { v1Routes } from './v1/routes.ts'
export { sessionRoutes, type SessionOptions } from './v1/sessions.ts'
export { usageRoutes, type StorageStatusOf } from './v1/usage.ts'
export { openApiRoutes } from './openapi/routes.ts'
export { deliverPage } from './deliver-page.ts'
export { pageQuery, readPage, readQuery } from './paging.ts'
export {
  afterQuery,
  cursorHeader,
  EXAMPLE_AGENT,
  protocolHeader,
  idempotencyHeader,
  readerQuery,
  streamAnswer,
  wholeAnswer,
} from './reader-query.ts'
export { readCursor } from './reader-place.ts'
export { requireLog, createReplies, unreadCheck, type Replies } from './replies.ts'
export { startRun } from './start-run.ts'
export { startAndFollow } from './start-and-follow.ts'
export { itemPages, streamList } from './stream-list.ts'
