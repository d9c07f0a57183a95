import { z } from 'zod'

import { isServiceError } from 'dragoman/errors'
import type { Run } from 'dragoman/events'
import { parseBody } from 'dragoman/protocols'
import { findRun, runKey } from '@dragoman/ag-ui/routes'
import type { MessageHandler, UseAiOptions } from './socket-context.ts'

const schema = z.looseObject({
  messageId: z.string(),
  traceId: z.string().nullish(),
  feedback: z.enum(['upvote', 'downvote'], 'must be upvote, downvote or null').nullish(),
})
const VOTES = { upvote: 'up', downvote: 'down' } as const

/** Clients say what they think of an answer soon: it is in one of so many threads that were changed last. */
const MAX_THREADS = 20

/**
 * Stores what a user thinks of an answer. The client names it by its own id of the message, and by its name of the run.
 * It may know answers that the server does not: these are logged.
 */
export function storeFeedback(options: UseAiOptions): MessageHandler {
  const { feedback, projector, logMessage } = options
  return async ({ connection: { userId } }, data) => {
    const { messageId, traceId, feedback: vote } = parseBody(schema, data)
    await projector.catchUp(userId)
    const run = traceId ? await findNamedRun(userId, traceId, options) : undefined
    if (run) await projector.upTo(run.threadId)
    try {
      await feedback.give(userId, run?.messageId ?? messageId, vote ? VOTES[vote] : null)
    } catch (error) {
      if (!isServiceError(error, 'not-found')) throw error
      logMessage({ passedOver: 'message_feedback', messageId: messageId.slice(0, 80), because: error.code })
    }
    return { ok: true }
  }
}

async function findNamedRun(
  userId: string,
  name: string,
  { runs, threads }: UseAiOptions,
): Promise<Run | undefined> {
  for (const { id, agent } of await threads.list(userId, { limit: MAX_THREADS })) {
    const run = await findRun(runs, userId, runKey(agent, id, name))
    if (run) return run
  }
  return undefined
}
