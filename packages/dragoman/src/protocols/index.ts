export { anyJson } from './any-json.ts'
export { clientTools, toClientTools } from './client-tools.ts'
export { dataStream } from './data-stream/index.ts'
export { endsInCalls } from './ends-in-calls.ts'
export { toUserMessageData } from './to-user-message-data.ts'
export { messageSchema, native, runSchema, toPublicMessage, toPublicRun } from './native/index.ts'
export {
  parseBody,
  type EncoderStart,
  type Encoder,
  type Framing,
  type Protocol,
  type RunRequest,
} from './protocol.ts'
export { isAnswered, toQuestionData, toVerdict } from './to-question-data.ts'
export { toToolProgress, toToolText } from './tool-output.ts'
export {
  context,
  conversationId,
  modelName,
  readPolicy,
  policy,
  showThinking,
  stream,
} from './request-fields.ts'
export { initialProgress, advanceProgress, type OpenCall, type RunProgress } from './run-progress.ts'
export { parseThinkingViewOptions as thinkingView } from './thinking-view-options.ts'
export { uiMessageStream, uiMessageStreamOf } from './ui-message-stream/index.ts'
export { filePartSchema, mediaTypeOfUrl } from './user-part-schemas.ts'
export { INTERRUPTION } from './interruption.ts'
