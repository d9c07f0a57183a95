import type { Json } from 'dragoman/events'
import type { UnseenQuestion } from './apply-text-approval.ts'
import type { RunNames } from './run-names.ts'

/** A run of the client that asks in text what our run waits for, and ends. */
export function questionEvents({ run, text }: UnseenQuestion, names: RunNames): readonly Json[] {
  const messageId = `${run.messageId}.${names.runId}`
  const timestamp = Date.now()
  return [
    { type: 'RUN_STARTED', ...names, timestamp },
    { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant', timestamp },
    { type: 'TEXT_MESSAGE_CONTENT', messageId, delta: text, timestamp },
    { type: 'TEXT_MESSAGE_END', messageId, timestamp },
    { type: 'RUN_FINISHED', ...names, result: text, timestamp },
  ]
}
