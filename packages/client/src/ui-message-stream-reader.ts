import type { DONE as Done } from 'dragoman/protocols/ui-message-stream/wire'
import { eventStreamReader } from './event-stream-reader.ts'
import type { AnswerFormat } from './resume-stream.ts'

const DONE: typeof Done = '[DONE]'

/**
 * Reads ui-message-stream. A waiting run sends `[DONE]` and may continue after it, so only a final `[DONE]` is the end.
 */
export const uiMessageStreamReader: AnswerFormat = (headers) =>
  headers.has('x-vercel-ai-ui-message-stream')
    ? eventStreamReader('ui-message-stream', headers, (data) => data === DONE)
    : undefined
