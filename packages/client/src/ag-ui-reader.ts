import { eventStreamReader } from './event-stream-reader.ts'
import type { AnswerFormat } from './resume-stream.ts'

const LAST_EVENT = /^RUN_(FINISHED|ERROR)$/

/**
 * Reads AG-UI. The body ends with the client's run. The request is repeated under the client's name of the run: it says
 * how the client knows the conversation.
 */
export const agUiReader: AnswerFormat = (headers) =>
  headers.has('x-resumable-stream-id')
    ? { ...eventStreamReader('ag-ui', headers, isLast), repeats: true }
    : undefined

function isLast(data: string): boolean {
  return LAST_EVENT.test((JSON.parse(data || '{}') as { type: string }).type)
}
