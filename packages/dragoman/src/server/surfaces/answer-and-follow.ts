import type { Context } from 'hono'

import { ServiceError } from '../../errors.ts'
import type { AnswerRequest, Json, LogEntry, Run } from '../../events/index.ts'
import type { Protocol } from '../../protocols/index.ts'
import type { HttpEnv } from '../http/index.ts'
import { giveAnswers } from './give-answers.ts'
import type { Conversations } from './surface-services.ts'

type AnswerOptions = Pick<Conversations, 'runs' | 'threads' | 'replies'> & {
  /** The agent whose threads are searched by name, if the surface belongs to one. */
  readonly agent?: string
  readonly protocol: Protocol
  readonly stream: boolean
  readonly view: Json
  readonly endsWithCaller: boolean
}

/**
 * Gives the answers of a chat request and sends what follows, in the message that asked.
 * @throws ServiceError `not-found` if the run has asked none of the questions
 */
export async function answerAndFollow(
  c: Context<HttpEnv>,
  request: AnswerRequest,
  { protocol, stream, view, endsWithCaller, ...options }: AnswerOptions,
): Promise<Response> {
  const { runs, replies } = options
  const userId = c.get('userId')
  const run = await runToAnswer(request, userId, options)
  const before = await runs.structure(run)
  const askedCalls = new Set(
    before.flatMap(({ event }) => (event.type === 'tool.asked' ? [event.callId] : [])),
  )
  // A message has the outcomes of all its calls, most of them the server's own.
  const answers = request.answers.filter(({ callId }) => askedCalls.has(callId))
  if (answers.length === 0) throw new ServiceError('not-found', 'There is no such question.')
  await giveAnswers(run, answers, { runs, userId })
  const current = await runs.get(userId, run.id)
  if (!stream) return replies.whole(c, current, protocol, view)
  const seq = lastRead(await runs.structure(run), new Set(answers.map(({ callId }) => callId)))
  return replies.stream(c, current, { protocol, view, endsWithCaller, after: { seq, frames: 0 } })
}

async function runToAnswer(
  { messageId, thread: name }: AnswerRequest,
  userId: string,
  { runs, threads, agent }: Pick<AnswerOptions, 'runs' | 'threads' | 'agent'>,
): Promise<Run> {
  if (messageId !== undefined) return runs.get(userId, messageId)
  const thread = name === undefined ? undefined : await threads.find(userId, name, agent)
  const run = thread && (await runs.current(thread.id))
  if (run) return run
  throw new ServiceError('not-found', 'There is no such run.')
}

/**
 * The entry up to which the client has read: where the run began to wait before the answer, or the question if it did
 * not wait yet.
 */
function lastRead(all: readonly LogEntry[], answered: ReadonlySet<string>): number {
  const answer = all.findLastIndex(
    ({ event }) => event.type === 'tool.answered' && answered.has(event.callId),
  )
  const entries = answer < 0 ? all : all.slice(0, answer)
  const waits = entries.findLast(
    ({ event }) => event.type === 'run.waiting' && event.calls.some((callId) => answered.has(callId)),
  )
  const asks = entries.findLast(({ event }) => event.type === 'tool.asked' && answered.has(event.callId))
  return (waits ?? asks)?.seq ?? 0
}
