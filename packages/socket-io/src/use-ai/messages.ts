import { z } from 'zod'

import { isServiceError, ServiceError } from '../errors.ts'
import { parseJson, type Json } from '../events/index.ts'
import { readBody, useAi } from '../protocols/index.ts'
import { writeCursor } from '../transports/index.ts'
import { agUiRuns } from './ag-ui-runs.ts'
import { findRun } from './ag-ui-start.ts'
import { PASSED_OVER } from './answering.ts'
import type { Holders } from './socket-io-holders.ts'
import type { MessageType, SocketApiOptions } from './socket-io-line.ts'
import { namesOf } from './socket-io-names.ts'
import { runWorkflow } from './socket-io-workflow.ts'

type Options = SocketApiOptions & { readonly holders: Holders }

const result = z.looseObject({ toolCallId: z.string(), content: z.json(), error: z.string().nullish() })
const aborted = z.looseObject({ runId: z.string().nullish() })
const followed = z.looseObject({
  threadId: z.string().exactOptional(),
  runId: z.string().exactOptional(),
  after: z.string().exactOptional(),
})
const feedback = z.looseObject({ messageId: z.string() })

/** What a client may say, in a `message`. */
export function messageTypes(options: Options): Map<string, MessageType> {
  return new Map([
    ['run_agent', runAgent(options)],
    ['run_workflow', runWorkflow(options)],
    ['tool_result', toolResult(options)],
    ['abort_run', abortRun(options)],
    ['follow_run', followRun(options)],
    ['message_feedback', messageFeedback(options)],
  ])
}

/** Where it brings what a run waits for, as its client's whole history does, that run goes on. */
function runAgent({ agents, defaultAgent, holders, ...ports }: Options): MessageType {
  const { begin } = agUiRuns(ports)
  return async ({ connection, followed: all }, data) => {
    const { userId } = connection
    const request = useAi.parse(data)
    const { agent = defaultAgent } = request
    if (!agents.some(({ id }) => id === agent)) {
      const known = agents.map(({ id }) => id).join(', ')
      const sentence = `forwardedProps.agent: there is no agent ${agent.slice(0, 80)}; there are ${known}.`
      throw new ServiceError('not-found', sentence)
    }
    all.check()
    const { run, after } = await begin(request, { userId, agent, protocol: useAi, policy: 'enqueue' })
    const place = after ? writeCursor(after) : '0'
    all.follow(run, { after: place, watches: !holders.join(run, connection) })
    return { ok: true, runId: run.id }
  }
}

/** From any socket of the user's. What is not waited for is passed over: its sender may have been told late that it is not. */
function toolResult({ runs, noted }: Options): MessageType {
  return async ({ connection: { userId } }, data) => {
    const { toolCallId, content, error: failed } = readBody(result, data)
    const output = typeof content === 'string' ? (parseJson(content) ?? content) : content
    const answer = failed ? { kind: 'error' as const, message: failed } : { kind: 'output' as const, output }
    try {
      // The id of a call begins with its run's.
      const run = await runs.get(userId, toolCallId.slice(0, toolCallId.lastIndexOf('.')))
      await runs.answer(run, { callId: toolCallId, answer }, userId)
      return { ok: true, runId: run.id }
    } catch (error) {
      if (!isServiceError(error) || !PASSED_OVER.has(error.code)) throw error
      noted({ passedOver: 'tool_result', callId: toolCallId.slice(0, 80), because: error.code })
      return { error: error.message, code: error.code }
    }
  }
}

function abortRun({ runs }: Options): MessageType {
  return async ({ connection: { userId }, followed: all }, data) => {
    const { runId } = readBody(aborted, data)
    const own = all.named(runId ?? undefined)
    const named = own.length > 0 || !runId ? undefined : await findRun(runs, userId, runId)
    const found = named ? [named] : own
    const stopped = await Promise.all(found.map((run) => runs.stop(run, userId)))
    return { ok: true, stopped: stopped.includes(true) }
  }
}

/** Follows a run that was begun elsewhere or before: by our id, or as its conversation's latest. Who asks again for one that nobody holds is asked from then on. */
function followRun({ runs, threads, holders }: Options): MessageType {
  return async ({ connection, followed: all }, data) => {
    const { threadId, runId, after = '0' } = readBody(followed, data)
    const { userId } = connection
    const thread =
      runId === undefined && threadId !== undefined ? await threads.get(userId, threadId) : undefined
    const run =
      runId === undefined ? thread && (await runs.current(thread.id)) : await runs.get(userId, runId)
    if (!run)
      throw new ServiceError(
        thread ? 'not-found' : 'invalid-request',
        thread ? 'This conversation has no run yet.' : 'data: must have a runId or a threadId.',
      )
    const holds = holders.join(run, connection)
    const answer: Json = { ok: true, ...namesOf(run), id: run.id, watches: !holds }
    if (all.isWatching(run.id) === undefined) {
      all.check()
      all.follow(run, { after, watches: !holds })
    } else if (holds) await all.takeOver(run.id)
    return answer
  }
}

/** There is no place for it: it is taken, and gone. */
function messageFeedback({ noted }: Options): MessageType {
  return async (_line, data) => {
    const { messageId } = readBody(feedback, data)
    noted({ passedOver: 'message_feedback', messageId: messageId.slice(0, 80) })
    return { ok: true }
  }
}
