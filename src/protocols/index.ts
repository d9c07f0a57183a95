export { eve, eveUsage } from './eve/index.ts'
export { native, toMessage, toRun } from './native/index.ts'
export { readBody, type Encoder, type Protocol } from './protocol.ts'
export { toUiMessage, uiMessageStream } from './ui-message-stream/index.ts'
