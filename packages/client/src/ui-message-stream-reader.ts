import type { DONE as Done } from 'dragoman/protocols/ui-message-stream/wire'
import { eventStreamReader } from './event-stream-reader.ts'
import type { StreamReader } from './resume-stream.ts'

const DONE: typeof Done = '[DONE]'

/**
 * Reads ui-message-stream. A waiting run sends `[DONE]` and may continue after it, so only a final `[DONE]` is the end.
 */
export function uiMessageStreamReader(after: string | undefined): StreamReader<string> {
  return eventStreamReader('ui-message-stream', after, (data) => data === DONE)
}
