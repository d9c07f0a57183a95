import { ServiceError } from '../errors.ts'

/** Of a log that has gone. What its run said is among the messages of its conversation. */
export function logPruned(run: { readonly id: string; readonly threadId: string }): ServiceError {
  return new ServiceError(
    'log-pruned',
    `The log of run ${run.id} is no longer kept. What it said is in its conversation.`,
    {
      details: {
        runId: run.id,
        conversationId: run.threadId,
        history: `/v1/threads/${run.threadId}/messages`,
      },
    },
  )
}
