export { agentStatusRoutes } from './chat/agent-status.ts'
export { agUiRoutes } from './ag-ui/routes.ts'
export { openQuestions, rangeAfterAnswer } from './ag-ui/log-ranges.ts'
export { createAgUiRuns } from './ag-ui/ag-ui-runs.ts'
export { findRun, runKey, runNameOf, type AgUiPorts, type AgUiRunOptions } from './ag-ui/start-run.ts'
export { giveAnswers, isLateAnswer } from './give-answers.ts'
export { pairRoutes, type PairOptions } from './auth/pair.ts'
export { signInRoutes, type SignInOptions } from './auth/sign-in.ts'
export { verifyTokenRoutes } from './auth/verify-token.ts'
export { historyPreamble } from './history-preamble.ts'
export type { ChatOptions } from './chat/history.ts'
export { copilotKitRoutes } from './copilotkit/routes.ts'
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
export { pageQuery, readQuery } from './paging.ts'
export {
  afterQuery,
  cursorHeader,
  protocolHeader,
  idempotencyHeader,
  readerQuery,
  streamAnswer,
  wholeAnswer,
} from './reader-query.ts'
export { readCursor } from './reader-place.ts'
export { requireLog, createReplies } from './replies.ts'
export { startAndFollow } from './start-and-follow.ts'
export { itemPages, streamList } from './stream-list.ts'
