import { ServiceError } from '../errors.ts'

/** Of a log that has gone. What its run said is among the messages of its conversation. */
export function logPrunedError(run: { readonly id: string; readonly threadId: string }): ServiceError {
  return new ServiceError(
    'log-pruned',
    `Run ${run.id} ended long ago: its stream is no longer kept, what it said is in its conversation.`,
    { details: { runId: run.id, conversationId: run.threadId } },
  )
}
