export { agUi, replay, spokenVerdict, useAi, useAiWatching } from './ag-ui/index.ts'
export { clientTools, toClientTools } from './client-tools.ts'
export { dataStream, toDataMessage } from './data-stream/index.ts'
export { endsInCalls } from './ends-in-calls.ts'
export { toJoined } from './joined.ts'
export { messageShape, native, runShape, toMessage, toRun } from './native/index.ts'
export {
  readBody,
  type Begun,
  type Encoder,
  type Framing,
  type Protocol,
  type RunRequest,
} from './protocol.ts'
export { toVerdict } from './question.ts'
export { context, conversationId, namedPolicy, policy, showThinking, stream } from './request-field.ts'
export { nothingSoFar, soFar, type SoFar } from './so-far.ts'
export { thinkingView } from './thinking.ts'
export { toUiMessage, uiMessageStream } from './ui-message-stream/index.ts'
export { filePart } from './user-part.ts'
