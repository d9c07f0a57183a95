import type { Context } from 'hono'

import { ServiceError } from '../errors.ts'
import type { AnswerRequest, RunEvent } from '../events/index.ts'
import type { Protocol } from '../protocols/index.ts'
import type { Runs } from '../runs/index.ts'
import type { HttpEnv } from '../transports/index.ts'
import type { Replies } from './replies.ts'

/** A client may send an answer again, or with answers that others gave: what is not open any more is passed over. */
const PASSED_OVER = new Set<string>(['already-answered', 'not-found', 'run-closed', 'expired'])

/** Takes the answers that a chat has posted and sends what follows, in the message that asked. */
export async function answerAndFollow(
  c: Context<HttpEnv>,
  { messageId, answers }: AnswerRequest,
  { runs, replies, protocol, stream }: { runs: Runs; replies: Replies; protocol: Protocol; stream: boolean },
): Promise<Response> {
  const userId = c.get('userId')
  const run = await runs.get(userId, messageId)
  for (const answer of answers) {
    try {
      await runs.answer(run, answer, userId)
    } catch (error) {
      if (!(error instanceof ServiceError && PASSED_OVER.has(error.code))) throw error
    }
  }
  if (!stream) return replies.whole(c, run, protocol)
  const asked = new Set(answers.map(({ callId }) => callId))
  const seq = (await runs.structure(run)).findLast(({ event }) => waitsFor(event, asked))?.seq ?? 0
  const current = await runs.get(userId, run.id)
  return replies.stream(c, current, { protocol, after: { seq, frames: 0 } })
}

/** As far as the client had read: its body ended where the run began to wait. */
function waitsFor(event: RunEvent, asked: ReadonlySet<string>): boolean {
  return event.type === 'run.waiting' && event.calls.some((callId) => asked.has(callId))
}
