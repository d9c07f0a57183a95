export { agUi, replay, useAi } from './ag-ui/index.ts'
export { agentEvents } from './agent-events/index.ts'
export { dataStream, toDataMessage } from './data-stream/index.ts'
export { envelope, messageIdOf, requestIdOf } from './envelope/index.ts'
export { eve, eveUsage } from './eve/index.ts'
export { messageShape, native, runShape, toMessage, toRun } from './native/index.ts'
export {
  readBody,
  type Begun,
  type Encoder,
  type Framing,
  type Protocol,
  type RunRequest,
} from './protocol.ts'
export { toUiMessage, uiMessageStream } from './ui-message-stream/index.ts'
